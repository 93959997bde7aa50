import { BlockReader } from './block-reader.js';
import type { Fence, LineRole } from './block-types.js';

/** The properties of a markdown line that chunking needs. */
export interface Line {
  readonly text: string;
  /** Level of the heading that begins in this line, 1 to 6; 0 for any other line. */
  readonly headingLevel: number;
  /** The text of that heading if it is underlined, whose lines follow. */
  readonly heading?: string;
  /** Belongs to the underlined heading that begins above it. */
  readonly isHeadingRest?: true;
  /** In a code fence or an HTML block, whose lines are never headings nor blank. */
  readonly verbatim: boolean;
  /** The fence that the line is part of. */
  readonly fence?: Fence;
}

/**
 * The lines of a text; a fence that is never closed ends with the text, as in CommonMark. Equal blank lines that follow
 * each other are one object, so that 10 MB of newlines take little memory.
 */
export function parseLines(text: string): readonly Line[] {
  const reader = new BlockReader();
  const isConflictMark = text.includes('<<<<<<<') ? conflictMarks() : () => false;
  const lines: Line[] = [];
  for (const line of splitLines(text)) {
    const role = reader.read(isConflictMark(line) ? '' : line);
    if (role.kind === 'underline') markHeading(lines, role);
    const last = lines.at(-1);
    const isSame = role.kind === 'blank' && last?.text === line && isBlank(last);
    lines.push(isSame ? last : toLine(line, role));
  }
  return lines;
}

/** Recognizes git's marks around the versions of a failed merge, in the lines of a text one after the other. */
function conflictMarks(): (line: string) => boolean {
  let isOpen = false;
  return (line) => {
    const [mark = '', begin] = /^(?:(<{7})|>{7}|\|{7})(?: |$)/.exec(line) ?? [];
    const isMark = begin !== undefined || mark.length > 7 || (isOpen && mark !== '');
    if (isMark) isOpen = begin !== undefined || line.startsWith('|');
    return isMark || (isOpen && line === '=======');
  };
}

/** All lines of the paragraph above an underline are the heading. */
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

/** `[name]: target`, which is no text. */
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

/** The text of a heading line, without its signs; may be empty. */
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

/** Whether a line has text that is no heading. */
export function isText(line: Line): boolean {
  return !isBlank(line) && line.headingLevel === 0 && line.isHeadingRest !== true;
}

/** Lines up to a blank one; headings belong to the paragraph under them. */
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

/** The text without blank lines before and white space after it; the first line keeps its indentation. */
export function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
}

/** Every line with its end. */
export function joinLines(lines: readonly Line[]): string {
  return [...lines.map(({ text }) => text), ''].join('\n');
}
