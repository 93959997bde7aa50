/** A line of markdown, as far as chunking cares. */
export interface Line {
  readonly text: string;
  /** Level of an ATX heading, 1 to 6; 0 for any other line. */
  readonly headingLevel: number;
  /** Inside a code fence, whose lines are never headings nor blank. */
  readonly fenced: boolean;
}

/**
 * The lines of a text; a fence that is never closed goes on to the end, as in CommonMark. Equal lines that follow each
 * other are one object, so that 10 MB of newlines take little memory.
 */
export function linesOf(text: string): readonly Line[] {
  let fence: string | undefined;
  let last: Line = { text: '', headingLevel: 0, fenced: false };
  const lines: Line[] = [];
  for (const line of splitLines(text)) {
    const fenced = fence !== undefined;
    fence = fence === undefined ? openingFence(line) : closes(line, fence) ? undefined : fence;
    const outside = !fenced && fence === undefined;
    if (line !== last.text || last.fenced === outside) {
      last = { text: line, headingLevel: outside ? headingLevel(line) : 0, fenced: !outside };
    }
    lines.push(last);
  }
  return lines;
}

function* splitLines(text: string): Generator<string> {
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) {
    yield text.slice(start, index);
    start = index + end.length;
  }
  yield text.slice(start);
}

/** The text of a heading line, without its signs; may be empty. */
export function headingText(line: Line): string {
  return line.text
    .trim()
    .replace(/^#{1,6}/, '')
    .replace(/(^|[ \t])#+$/, '')
    .trim();
}

export function isBlank(line: Line): boolean {
  return !line.fenced && line.text.trim() === '';
}

/** Lines up to a blank one; headings belong to the paragraph under them. */
export function* paragraphsOf(lines: readonly Line[]): Generator<readonly Line[]> {
  let open: Line[] = [];
  let hasText = false;
  for (const line of lines) {
    open.push(line);
    hasText ||= isText(line);
    if (!isBlank(line) || !hasText) continue;
    yield open;
    open = [];
    hasText = false;
  }
  if (!open.every(isBlank)) yield open;
}

function isText(line: Line): boolean {
  return !isBlank(line) && line.headingLevel === 0;
}

/** The text without blank lines before and white space after it; the first line keeps its indentation. */
export function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

function headingLevel(line: string): number {
  return /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line)?.[1]?.length ?? 0;
}

/** The fence that a line opens; a fence of backticks has none in its info string. */
function openingFence(line: string): string | undefined {
  return /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
}

function closes(line: string, fence: string): boolean {
  const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return closing !== undefined && closing[0] === fence[0] && fence.length <= closing.length;
}
