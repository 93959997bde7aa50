/** Code between two fences; its lines share one object. */
export interface Fence {
  /** The line that opens it, without the quote or list that it stands in: "```sh". */
  readonly opener: string;
  /** The signs that close it: "```". */
  readonly closer: string;
}

/** What a line of markdown is. Headings inside quotes and lists are `text`: they begin no part of the file. */
export type LineRole =
  | { readonly kind: 'blank' | 'text' | 'html' }
  | { readonly kind: 'fence'; readonly fence: Fence }
  | { readonly kind: 'heading'; readonly level: number }
  /** `---` or `===` under a paragraph, all lines of which are the heading. */
  | { readonly kind: 'underline'; readonly level: 1 | 2; readonly paragraphLines: number };

export interface Container {
  readonly kind: 'quote' | 'item';
  /** Where the text behind its sign begins, in the line that opens it. */
  readonly textAt: number;
  /** Columns by which further lines of an item are indented. */
  readonly indent: number;
  /** A list item whose first line has no text ends at the first blank line. */
  isEmpty: boolean;
}

export interface Leaf {
  readonly role: LineRole;
  readonly verbatim?: Verbatim | undefined;
}

/** A block whose lines are not read as markdown. */
export interface Verbatim {
  readonly role: LineRole;
  readonly isEnd: (line: string, at: number) => boolean;
}

export const TEXT: LineRole = { kind: 'text' };
export const BLANK: LineRole = { kind: 'blank' };
const HTML: LineRole = { kind: 'html' };

const HEADING = /(#{1,6})(?: |$)/y;
const UNDERLINE = /(?:=+|-+) *$/y;
const RULE = /(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/y;
const FENCE = /(`{3,})[^`]*$|(~{3,})/y;
const CLOSING_FENCE = / {0,3}(`{3,}|~{3,}) *$/y;
const HTML_BLOCK = /<(?:(pre|script|style|textarea)(?=[ >]|$)|!--)/iy;
const BULLET = /[-+*](?= |$)/y;
const NUMBER = /\d{1,9}[.)](?= |$)/y;

/** The heading, rule, fence or HTML block that begins at a sign. `paragraphLines`: of the paragraph that an underline would end. */
export function leafAt(line: string, first: number, paragraphLines: number): Leaf | undefined {
  if (paragraphLines > 0 && matchAt(UNDERLINE, line, first)) {
    const level = line[first] === '=' ? 1 : 2;
    return { role: { kind: 'underline', level, paragraphLines } };
  }
  const signs = matchAt(HEADING, line, first)?.[1];
  if (signs !== undefined) return { role: { kind: 'heading', level: signs.length } };
  if (matchAt(RULE, line, first)) return { role: TEXT };
  return fenceAt(line, first) ?? htmlAt(line, first);
}

function fenceAt(line: string, first: number): Leaf | undefined {
  const match = matchAt(FENCE, line, first);
  const closer = match?.[1] ?? match?.[2];
  if (closer === undefined) return undefined;
  const role: LineRole = { kind: 'fence', fence: { opener: line.slice(first).trimEnd(), closer } };
  const isEnd = (text: string, at: number) =>
    matchAt(CLOSING_FENCE, text, at)?.[1]?.startsWith(closer) ?? false;
  return { role, verbatim: { role, isEnd } };
}

function htmlAt(line: string, first: number): Leaf | undefined {
  const match = matchAt(HTML_BLOCK, line, first);
  if (match === undefined) return undefined;
  const end = match[1] === undefined ? /-->/ : /<\/(?:pre|script|style|textarea)>/i;
  const isEnd = (text: string) => end.test(text);
  return { role: HTML, verbatim: isEnd(line) ? undefined : { role: HTML, isEnd } };
}

export function containerAt(
  line: string,
  at: number,
  { first, isInParagraph }: { readonly first: number; readonly isInParagraph: boolean },
): Container | undefined {
  const textAt = afterQuoteSign(line, at);
  if (textAt !== undefined) return { kind: 'quote', textAt, indent: 0, isEmpty: false };
  const marker = matchAt(BULLET, line, first)?.[0] ?? matchAt(NUMBER, line, first)?.[0];
  if (marker === undefined) return undefined;
  const end = first + marker.length;
  const text = firstSign(line, end);
  const isEmpty = text === line.length;
  const interrupts = !isEmpty && (marker.length === 1 || /^0*1[.)]/.test(marker));
  if (isInParagraph && !interrupts) return undefined;
  const start = isEmpty || text - end > 4 ? end + 1 : text;
  return { kind: 'item', textAt: start, indent: start - at, isEmpty };
}

export function afterQuoteSign(line: string, at: number): number | undefined {
  const first = firstSign(line, at);
  if (first - at > 3 || line[first] !== '>') return undefined;
  return line[first + 1] === ' ' ? first + 2 : first + 1;
}

/** Where the text of a line begins that belongs to a list item; undefined if it does not. */
export function itemText(
  { indent, isEmpty }: Container,
  line: string,
  at: number,
): number | undefined {
  const first = firstSign(line, at);
  if (first === line.length) return isEmpty ? undefined : first;
  return indent <= first - at ? at + indent : undefined;
}

export function firstSign(line: string, at: number): number {
  let first = at;
  while (line[first] === ' ') first += 1;
  return first;
}

function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line) ?? undefined;
}

/** With spaces up to the next multiple of four columns in place of each tab. */
export function withoutTabs(text: string): string {
  if (!text.includes('\t')) return text;
  let line = '';
  for (const part of text.split(/(\t)/)) {
    line += part === '\t' ? ' '.repeat(4 - (line.length % 4)) : part;
  }
  return line;
}
