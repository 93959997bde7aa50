import {
  type Container,
  type Leaf,
  type LineRole,
  type OpenParagraph,
  TEXT,
  type Verbatim,
} from './block-types.js';

const HEADING = /(#{1,6})(?:[ \t]|$)/y;
const UNDERLINE = /(?:=+|-+)[ \t]*$/y;
const RULE = /(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/y;
const FENCE = /(`{3,})[^`]*$|(~{3,})/y;
const CLOSING_FENCE = / {0,3}(`{3,}|~{3,})[ \t]*$/y;
const BULLET = /[-+*](?= |$)/y;
const NUMBER = /\d{1,9}[.)](?= |$)/y;

/** The heading, rule, fence or HTML block that begins at a character. */
export function leafAt(line: string, first: number, paragraph: OpenParagraph): Leaf | undefined {
  if (paragraph.lines > 0 && matchAt(UNDERLINE, line, first)) {
    const level = line[first] === '=' ? 1 : 2;
    return { role: { kind: 'underline', level, paragraphLines: paragraph.lines } };
  }
  const signs = matchAt(HEADING, line, first)?.[1];
  if (signs !== undefined) return { role: { kind: 'heading', level: signs.length } };
  if (matchAt(RULE, line, first)) return { role: TEXT };
  return fenceAt(line, first) ?? htmlBlockAt(line, first, paragraph);
}

function fenceAt(line: string, first: number): Leaf | undefined {
  const match = matchAt(FENCE, line, first);
  const closer = match?.[1] ?? match?.[2];
  if (closer === undefined) return undefined;
  const role: LineRole = { kind: 'fence', fence: { opener: line.slice(first).trimEnd(), closer } };
  const isEnd = (text: string, at: number) =>
    matchAt(CLOSING_FENCE, text, at)?.[1]?.startsWith(closer) ?? false;
  return { role, verbatim: { role, isEnd, endsAtBlank: false } };
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
  const first = skipSpaces(line, at, at + 3);
  if (line[first] !== '>') return undefined;
  return line[first + 1] === ' ' ? first + 2 : first + 1;
}

/** Where the text of a list item begins in a line; undefined if the line is not part of the item. */
export function itemText(
  { indent, isEmpty }: Container,
  line: string,
  at: number,
): number | undefined {
  if (isEmpty && firstSign(line, at) === line.length) return undefined;
  const end = skipSpaces(line, at, at + indent);
  return end === at + indent || end === line.length ? end : undefined;
}

export function firstSign(line: string, at: number): number {
  return skipSpaces(line, at, line.length);
}

function skipSpaces(line: string, at: number, end: number): number {
  let first = at;
  while (first < end && (line[first] === ' ' || line[first] === '\t')) first += 1;
  return first;
}

function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line) ?? undefined;
}

/** Replaces each tab with spaces up to the next multiple of four columns. Tabs to the right of any structure stay. */
export function withoutTabs(text: string): string {
  let line = '';
  let start = 0;
  let tab = text.indexOf('\t');
  while (tab !== -1 && tab < STRUCTURE_CHARACTERS) {
    const before = text.slice(start, tab);
    line += before + ' '.repeat(4 - ((line.length + before.length) % 4));
    start = tab + 1;
    tab = text.indexOf('\t', start);
  }
  return line + text.slice(start);
}

const STRUCTURE_CHARACTERS = 1_000;

/**
 * The HTML block that begins at a character: all seven kinds of CommonMark, and MDX comments and expressions. A lone
 * tag with an unlisted name (kind 7) does not end a paragraph.
 */
function htmlBlockAt(line: string, first: number, paragraph: OpenParagraph): Leaf | undefined {
  if (line[first] !== '<' && line[first] !== '{') return undefined;
  const text = line.slice(first);
  if (paragraph.braces === 'expression' && /^\{[ \t]*$/.test(text)) {
    return { role: HTML, verbatim: endingWith(EXPRESSION_END) };
  }
  const end = ENDS.find(([begin]) => begin.test(text))?.[1];
  if (end !== undefined) {
    return { role: HTML, verbatim: end.test(text) ? undefined : endingWith(end) };
  }
  const isBlock = KNOWN_TAG.test(text) || (!paragraph.isOpen && LONE_TAG.test(text));
  return isBlock ? { role: HTML, verbatim: UNTIL_BLANK } : undefined;
}

const HTML: LineRole = { kind: 'html' };

const UNTIL_BLANK: Verbatim = { role: HTML, isEnd: () => false, endsAtBlank: true };

function endingWith(end: RegExp): Verbatim {
  return { role: HTML, isEnd: (line) => end.test(line), endsAtBlank: false };
}

const ENDS: readonly (readonly [RegExp, RegExp])[] = [
  [/^<(?:pre|script|style|textarea)(?=[ \t>]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
  [/^\{ *\/\*/, /\*\/ *\}/],
];

/** The last line of an MDX expression that begins with a lone brace. */
const EXPRESSION_END = /^[ \t]*(?:\*\/[ \t]*)?\}[ \t]*$/;

const KNOWN_TAG =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[ \t]|\/?>|$)/i;

const LONE_TAG =
  /^<(?:[a-z][a-z\d-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?|\/[a-z][a-z\d-]*[ \t]*)>[ \t]*$/i;
