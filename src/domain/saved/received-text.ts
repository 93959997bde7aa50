/**
 * The text that a client meant to send: without the fence of a tool's answer, or the fence that a model puts around a
 * whole file, and with line breaks instead of literal `\\n`.
 */
export function receivedText(content: string): string {
  const text = readAnswer(content)?.text ?? fencedMarkdown(content) ?? content;
  return hasWrittenOutLines(text) ? text.replace(LINE_ENDS, '\n') : text;
}

/**
 * Whether a text without line ends contains at least two literal `\n`. LaTeX commands such as `\newline`, Windows paths
 * and code in backticks do not count.
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

/** A tool's answer about a chunk or file, sent back by an agent. */
export interface ReceivedAnswer {
  /** The text inside the fence, after the head. */
  readonly text: string;
  /** The chunk shown, which may be one of several; undefined for a file. */
  readonly chunkId?: string | undefined;
  /** Whether it shows only part of the chunk or file, or several of them. */
  readonly isCut: boolean;
}

/** Undefined for any other text. */
export function readAnswer(content: string): ReceivedAnswer | undefined {
  const lines = content.trim().split(/\r?\n/);
  const begin = lines.findIndex((line) => line.startsWith('```'));
  const [, fence] = /^(`{3,})text$/.exec(lines[begin] ?? '') ?? [];
  const end = fence === undefined ? -1 : lines.indexOf(fence, begin + 1);
  if (end === -1 || !areRemarks(lines.slice(0, begin))) {
    // One line alone may be text.
    return lines.indexOf('') > 1 ? readShown(lines, []) : undefined;
  }
  const after = lines.slice(end + 1).filter((line) => line.trim() !== '');
  if (after.some((line, i) => !isAnswerEnd(line, i))) return undefined;
  return readShown(lines.slice(begin + 1, end), after);
}

/** Reads the head and the text inside a fence, or sent without it. */
function readShown(
  inside: readonly string[],
  after: readonly string[],
): ReceivedAnswer | undefined {
  const blank = inside.indexOf('');
  const head = inside.slice(0, Math.max(0, blank));
  if (!head.every((line) => HEAD_LINE.test(line))) return undefined;
  const value = (label: string) =>
    head.find((line) => line.startsWith(`${label}: `))?.slice(label.length + 2);
  if (value('file') === undefined) return undefined;
  return {
    text: inside.slice(blank + 1).join('\n'),
    chunkId: value('id'),
    isCut: after.length > 0 || value('preview') !== undefined || isRange(value('lines')),
  };
}

/** The text inside a fence around a whole file, which begins with frontmatter or a title. */
function fencedMarkdown(content: string): string | undefined {
  const lines = content.trim().split(/\r?\n/);
  const [, fence] = /^(`{3,}|~{3,})(?:markdown|md)[ \t]*$/.exec(lines[0] ?? '') ?? [];
  if (fence === undefined || lines.at(-1) !== fence) return undefined;
  const inside = lines.slice(1, -1);
  const isWhole = /^(?:---[ \t]*$|#[ \t])/.test(inside[0] ?? '');
  return isWhole && !inside.some((line) => line.startsWith(fence)) ? inside.join('\n') : undefined;
}

/** Whether lines are remarks before an answer's first block. */
function areRemarks(lines: readonly string[]): boolean {
  const said = lines.filter((line) => line.trim() !== '');
  return said.length <= 1 && said.every((line) => /\bThe fenced blocks? /.test(line));
}

/** Whether a line begins the text after the first block: a remark, or further blocks. */
function isAnswerEnd(line: string, index: number): boolean {
  return (
    index > 0 ||
    /^(?:There is more: |This is the beginning; |Much less relevant |`{3,}text$)/.test(line)
  );
}

/** Whether a range such as `3 to 9 of 20` does not cover all lines. */
function isRange(lines = ''): boolean {
  const [, from, to, all] = /^(\d+) to (\d+) of (\d+)$/.exec(lines) ?? [];
  return from !== undefined && (from !== '1' || to !== all);
}

const HEAD_LINE =
  /^(?:project|id|file|heading|score|relevance|supersededBy|warning|cited|stale|answers|similar|lines|version|updated|expires|preview|scope): /;
