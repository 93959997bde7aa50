import { isBlank, type Line } from './markdown.js';

/** Delimiters of comments: `<!-- … -->`, and in MDX also `{/* … *\/}`. */
export interface CommentSigns {
  /** Text in the line where a comment begins. */
  readonly opening: string;
  /** Finds the beginning of a comment or, captured, a code span, which may contain one. */
  readonly begin: RegExp;
  readonly end: RegExp;
}

const HTML_SIGNS = commentSigns('<!--', '<!--', '-->');
const MDX_SIGNS = commentSigns('/*', '\\{\\s{0,9}/\\*', '\\*/\\s{0,9}\\}');

export const COMMENTS_OF_MARKDOWN: readonly CommentSigns[] = [HTML_SIGNS];
export const COMMENTS_OF_MDX: readonly CommentSigns[] = [HTML_SIGNS, MDX_SIGNS];

function commentSigns(opening: string, begin: string, end: string): CommentSigns {
  const codeSpan = '(?<!`)(`{1,3})(?!`)[^`]+\\1(?!`)';
  return { opening, begin: new RegExp(`${codeSpan}|${begin}`, 'g'), end: new RegExp(end, 'g') };
}

/**
 * The lines without comments. Lines left empty stay as blank lines, so that line numbers do not change. Code and
 * unclosed comments are unchanged.
 */
export function withoutComments(
  lines: readonly Line[],
  kinds: readonly CommentSigns[],
): readonly Line[] {
  if (!mayContain(lines, kinds)) return lines;
  const kept: Line[] = [];
  for (let start = 0; start < lines.length; ) {
    const kind = kindOf(lines[start]);
    let end = start + 1;
    while (kind !== 'alone' && kindOf(lines[end]) === kind) end += 1;
    for (const line of stripComments(lines.slice(start, end), kinds)) kept.push(line);
    start = end;
  }
  return kept;
}

/** Whether there may be a comment; cheap. */
function mayContain(lines: readonly Line[], kinds: readonly CommentSigns[]): boolean {
  return lines.some(({ text, heading = text }) =>
    kinds.some(({ opening }) => heading.includes(opening)),
  );
}

/** A comment may span lines of the same kind: of a paragraph, or of HTML. */
function kindOf(line: Line | undefined): 'html' | 'text' | 'alone' {
  if (line === undefined || line.fence !== undefined || isBlank(line)) return 'alone';
  if (line.verbatim) return 'html';
  const isHeading = line.headingLevel > 0 || line.isHeadingRest === true;
  return isHeading || isIndented(line) ? 'alone' : 'text';
}

/** Whether it is indented like code. */
function isIndented({ text, verbatim }: Line): boolean {
  return !verbatim && /^(?: {4}|\t)/.test(text);
}

function stripComments(block: readonly Line[], kinds: readonly CommentSigns[]): readonly Line[] {
  const [first] = block;
  if (first === undefined || first.fence !== undefined || isIndented(first)) return block;
  if (!mayContain(block, kinds)) return block;
  const text = block.map((line) => line.text).join('\n');
  const left = withoutEach(text, kinds);
  const isHtml = first.verbatim && left.trim() !== '';
  return left.split('\n').map((own, index) => {
    const line = block[index] ?? first;
    if (line.heading !== undefined) {
      return { ...line, heading: withoutEach(line.heading, kinds).trim(), text: own.trimEnd() };
    }
    if (own === line.text) return line;
    return own.trim() === '' ? { ...BLANK, verbatim: isHtml } : { ...line, text: own.trimEnd() };
  });
}

const BLANK: Line = { text: '', headingLevel: 0, verbatim: false };

function withoutEach(text: string, kinds: readonly CommentSigns[]): string {
  return kinds.reduce(withoutComment, text);
}

/** Replaces each comment with its line breaks. */
function withoutComment(text: string, { begin, end }: CommentSigns): string {
  let left = '';
  let at = 0;
  begin.lastIndex = 0;
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    if (found[1] !== undefined) continue;
    end.lastIndex = found.index + 2;
    if (end.exec(text) === null) break;
    left += text.slice(at, found.index);
    left += '\n'.repeat(text.slice(found.index, end.lastIndex).split('\n').length - 1);
    at = end.lastIndex;
    begin.lastIndex = at;
  }
  return left + text.slice(at);
}
