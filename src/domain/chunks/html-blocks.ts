import type { Leaf, LineRole, OpenParagraph, Verbatim } from './block-types.js';

/**
 * The HTML block that begins at a sign: all seven kinds of CommonMark, and comments of MDX. A lone tag that the table of names
 * does not know (kind 7) ends no paragraph.
 */
export function htmlBlockAt(
  line: string,
  first: number,
  paragraph: OpenParagraph,
): Leaf | undefined {
  if (line[first] !== '<' && line[first] !== '{') return undefined;
  const text = line.slice(first);
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

const KNOWN_TAG =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[ \t]|\/?>|$)/i;

const LONE_TAG =
  /^<(?:[a-z][a-z\d-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?|\/[a-z][a-z\d-]*[ \t]*)>[ \t]*$/i;
