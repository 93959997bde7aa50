import type { Line } from './markdown.js';

/** The syntax of headings and comments in a file. In a `conversation`, Markdown comments are part of the text. */
export type Syntax =
  | 'markdown'
  | 'mdx'
  | 'conversation'
  | 'restructured-text'
  | 'asciidoc'
  | 'plain';

/** Chosen by the file extension; default `markdown`. */
export function syntaxFor(file: string): Syntax {
  const ending = file.slice(file.lastIndexOf('.')).toLowerCase();
  return SYNTAXES.get(ending) ?? 'markdown';
}

const SYNTAXES: ReadonlyMap<string, Syntax> = new Map([
  ['.mdx', 'mdx'],
  ['.rst', 'restructured-text'],
  ['.adoc', 'asciidoc'],
  ['.txt', 'plain'],
]);

/** Plain text has no headings. */
export function plainLines(texts: readonly string[]): readonly Line[] {
  return texts.map(plain);
}

/** AsciiDoc headings begin with `=`, except inside listing, literal, passthrough and comment blocks. */
export function asciidocLines(texts: readonly string[]): readonly Line[] {
  let delimiter: string | undefined;
  return texts.map((text) => {
    const isDelimiter = delimiter === undefined ? BLOCK_DELIMITER.test(text) : text === delimiter;
    const verbatim = isDelimiter || delimiter !== undefined;
    if (isDelimiter) delimiter = delimiter === undefined ? text : undefined;
    if (verbatim) return { text, headingLevel: 0, verbatim };
    if (!ASCIIDOC_HEADING.test(text)) return plain(text);
    const heading = text.replace(/^=+[ \t]+/, '');
    return { ...plain(text), headingLevel: text.search(/[^=]/), heading };
  });
}

const BLOCK_DELIMITER = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,})$/;
const ASCIIDOC_HEADING = /^={1,6}[ \t]+\S/;

/**
 * reStructuredText headings are underlined, and may be overlined, with a repeated character. The first style used is
 * the highest level; a style used once, at the top, is the title of the file.
 */
export function restructureLines(texts: readonly string[]): readonly Line[] {
  const titles = findTitles(texts);
  const kinds = [...new Set(titles.map(({ kind }) => kind))];
  const isTitled = titles.filter(({ kind }) => kind === kinds[0]).length === 1;
  const lines = texts.map(plain);
  for (const { at, text, underline, kind } of titles) {
    const level = Math.min(6, kinds.indexOf(kind) + (isTitled ? 1 : 2));
    lines[at] = { ...plain(text), headingLevel: level, heading: text.trim() };
    lines[at + 1] = { ...plain(underline), isHeadingRest: true };
    if (kind.length === 2) lines[at - 1] = plain('');
  }
  return lines;
}

interface Title {
  readonly at: number;
  readonly text: string;
  readonly underline: string;
  /** The character, twice if the heading is also overlined. */
  readonly kind: string;
}

function findTitles(texts: readonly string[]): readonly Title[] {
  const titles: Title[] = [];
  for (const [at, text] of texts.entries()) {
    const underline = texts[at + 1] ?? '';
    const sign = underlineSign(underline);
    const isTitle = sign !== undefined && text.trim() !== '' && underlineSign(text) === undefined;
    if (!isTitle || underline.trimEnd().length < text.trimEnd().length) continue;
    const isOverlined = texts[at - 1] === underline;
    titles.push({ at, text, underline, kind: isOverlined ? sign + sign : sign });
  }
  return titles;
}

/** The character that a line repeats three or more times. */
function underlineSign(line: string): string | undefined {
  return /^([!-/:-@[-`{-~])\1{2,}\s*$/.exec(line)?.[1];
}

function plain(text: string): Line {
  return { text, headingLevel: 0, verbatim: false };
}
