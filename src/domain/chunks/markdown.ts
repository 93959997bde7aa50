import { BlockReader } from './block-reader.js';
import type { Braces, Fence, LineRole } from './block-types.js';

/** The properties of a markdown line needed for chunking. */
export interface Line {
  readonly text: string;
  /** Level of the heading that begins in this line, 1 to 6; 0 for any other line. */
  readonly headingLevel: number;
  /** The text of an underlined heading, whose other lines follow. */
  readonly heading?: string;
  /** Set if the line continues the underlined heading above. */
  readonly isHeadingRest?: true;
  /** In a code fence or an HTML block, whose lines are neither headings nor blank. */
  readonly verbatim: boolean;
  /** The code fence that contains this line. */
  readonly fence?: Fence;
}

/**
 * The lines of a text; an unclosed fence ends with the text, as in CommonMark. Consecutive equal blank lines are one
 * object, so that 10 MB of newlines take little memory.
 */
export function parseLines(text: string, braces: Braces = 'text'): readonly Line[] {
  const reader = new BlockReader(braces);
  const isConflictMark = text.includes('<<<<<<<') ? conflictMarks() : () => false;
  const lines: Line[] = [];
  for (const line of splitLines(text)) {
    const role = reader.read(isConflictMark(line) ? '' : line);
    if (role.kind === 'underline') markHeading(lines, role);
    const last = lines.at(-1);
    const isSame = last?.text === line && isBlank(last);
    lines.push(isSame ? last : toLine(line, role));
  }
  return lines;
}

/** Recognizes git's conflict markers in consecutive lines of a text. */
function conflictMarks(): (line: string) => boolean {
  let isOpen = false;
  return (line) => {
    const [mark = '', begin] = /^(?:(<{7})|>{7}|\|{7})(?: |$)/.exec(line) ?? [];
    const isMark = begin !== undefined || mark.length > 7 || (isOpen && mark !== '');
    if (isMark) isOpen = begin !== undefined || line.startsWith('|');
    return isMark || (isOpen && line === '=======');
  };
}

/** The whole paragraph above an underline is the heading. */
function markHeading(lines: Line[], role: LineRole & { readonly kind: 'underline' }): void {
  const start = lines.length - role.paragraphLines;
  const paragraph = lines.slice(start).map(({ text }) => text);
  if (paragraph.every((text) => LINK_DEFINITION.test(text))) return;
  const heading = paragraph.map((text) => text.trim()).join(' ');
  for (const [index, text] of paragraph.entries()) {
    lines[start + index] =
      index === 0
        ? { text, headingLevel: role.level, heading, verbatim: false }
        : { text, headingLevel: 0, isHeadingRest: true, verbatim: false };
  }
}

/** `[name]: target`, which is not text. */
const LINK_DEFINITION = /^ {0,3}\[[^\]]+\]:[ \t]*\S/;

function toLine(text: string, role: LineRole): Line {
  const verbatim = role.kind === 'fence' || role.kind === 'html';
  return {
    text,
    headingLevel: role.kind === 'heading' ? role.level : 0,
    ...(role.kind === 'underline' && { isHeadingRest: true }),
    verbatim,
    ...(role.kind === 'fence' && { fence: role.fence }),
  };
}

export function* splitLines(text: string): Generator<string> {
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) {
    yield text.slice(start, index);
    start = index + end.length;
  }
  yield text.slice(start);
}

/** The text of a heading line, without its markers; may be empty. */
export function headingText(line: Line): string {
  return (
    line.heading ??
    line.text
      .trim()
      .replace(/^#{1,6}/, '')
      .replace(/[ \t]#+$/, '')
      .trim()
  );
}

export function isBlank(line: Line): boolean {
  return !line.verbatim && line.text.trim() === '';
}

/** Whether a line has text other than a heading. */
export function isText(line: Line): boolean {
  return !isBlank(line) && line.headingLevel === 0 && line.isHeadingRest !== true;
}

/** Splits at blank lines; a heading belongs to the paragraph below it. */
export function* splitParagraphs(lines: readonly Line[]): Generator<readonly Line[]> {
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
  yield open;
}

/** Removes leading blank lines and trailing white space; the first line keeps its indentation. */
export function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

/** Joins lines, each with a line end. */
export function joinLines(lines: readonly Line[]): string {
  return [...lines.map(({ text }) => text), ''].join('\n');
}
