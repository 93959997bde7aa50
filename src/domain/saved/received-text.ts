/**
 * The text that a writer means by what it sends: without the fence of a tool's answer, and with line ends where they came written out
 * as `\\n`.
 */
export function receivedText(content: string): string {
  const text = withoutAnswer(content);
  return hasWrittenOutLines(text) ? text.replace(LINE_ENDS, '\n') : text;
}

/**
 * Whether a text without a line end has `\n` written out two times or more. Commands of LaTeX such as `\newline`, Windows paths and code
 * between backticks do not count.
 */
export function hasWrittenOutLines(content: string): boolean {
  if (/[\r\n]/.test(content)) return false;
  const prose = content.replace(/`[^`]{0,1000}`/g, '').replace(/[A-Za-z]:\\\S{1,300}/g, '');
  return (prose.match(LINE_ENDS) ?? []).length >= 2;
}

const LATEX =
  'abla|e|earrow|eg|eq|ew[a-z]{1,20}|exists|geq|i|ode|oindent|olimits|onumber|ormalsize|ot|otin|leq|mid|parallel|subset|subseteq|u|warrow';
const LINE_ENDS = new RegExp(
  String.raw`(?:(?<!\\)\\r)?(?<!\\)\\n(?!(?:${LATEX})(?![A-Za-z]))`,
  'g',
);

/** The text between the fences of an answer of a tool, behind its head; any other text as it is. */
function withoutAnswer(content: string): string {
  const lines = content.trim().split('\n');
  const begin = lines.findIndex((line) => line.startsWith('```'));
  const [, fence = ''] = /^(`{3,})text\r?$/.exec(lines[begin] ?? '') ?? [];
  const before = lines.slice(0, begin).filter((line) => line.trim() !== '');
  if (fence === '' || lines.length < begin + 3 || before.length > 1) return content;
  if (before.some((line) => !line.startsWith('The fenced block'))) return content;
  if (lines.indexOf(fence, begin + 1) !== lines.length - 1) return content;
  const inside = lines.slice(begin + 1, -1);
  const end = inside.indexOf('');
  const isHead = end > 0 && inside.slice(0, end).every((line) => HEAD_LINE.test(line));
  const names = inside.slice(0, Math.max(0, end)).some((line) => /^file: /.test(line));
  return isHead && names ? inside.slice(end + 1).join('\n') : content;
}

const HEAD_LINE =
  /^(?:project|id|file|heading|score|relevance|supersededBy|cited|stale|answers|similar|lines|version|updated|preview|scope): /;
