import { joinLines, parseLines } from '../chunks/markdown.js';
import { CITED_PATH_MAX_CHARACTERS, MENTIONS_MAX } from '../limits.js';
import { decodePath } from '../paths.js';
import { type CitedPlace, placeKey } from './cited-place.js';
import { ENDS_WORD, linkTarget, possiblePaths, WORD } from './mention-words.js';
import { isPath, withoutEmphasis } from './mentioned-path.js';
import { pathSpellings } from './path-spellings.js';
import { REST_MAX_CHARACTERS, restOfLines, withLines, withoutSymbol } from './written-place.js';

/** A file named in a text, as written: relative to the project or to the file of the text, or absolute. */
export interface Mention extends CitedPlace {
  /** Set for a link target that begins with a slash, which may be relative to the project. */
  readonly isFromRoot?: true;
}

/**
 * The files that a markdown text seems to name, in order, without duplicates, at most {@link MENTIONS_MAX}. They may
 * not exist (docs/specification.md, "Citations"):
 *
 * - a path with an extension, bare or in a code span or a link: `src/db/pool.ts`, `pool.ts`;
 * - a path with a slash and without an extension, in a code span or a link: `bin/start`;
 * - a path with spaces, or other signs between words, as a whole code span or target of a link: `docs/first day.md`;
 * - as agents, editors and vaults write a path: `@src/db/pool.ts`, `src\db\pool.ts`, `[[docs/guide]]`;
 * - each may end with line numbers: `pool.ts:40`, `pool.ts:40-58`, `pool.ts#L40-L58`, `pool.ts(40,5)`.
 *
 * A name without a slash needs an extension of code, text or configuration files. URLs, patterns, calls, e-mail
 * addresses and fenced code blocks are not mentions.
 */
export function findMentions(text: string): readonly Mention[] {
  if (!/[./[]/.test(text)) return [];
  const mentions = new Map<string, Mention>();
  for (const mention of eachMention(/```|~~~/.test(text) ? withoutFences(text) : text)) {
    mentions.set(placeKey(mention), mention);
    if (mentions.size === MENTIONS_MAX) break;
  }
  return [...mentions.values()];
}

/**
 * The mentions in the `cites:` entries of a file's frontmatter: `path` or `path:from-to`. An entry without a slash is
 * first resolved from the project folder.
 */
export function mentionsInEntries(entries: readonly string[]): readonly Mention[] {
  return entries.flatMap((entry) => {
    const { path: written, ...lines } = withLines(entry);
    if (written === '' || written.startsWith('/')) return [];
    const path = written.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
    const places = path.includes('/') ? [path] : [`./${path}`, path];
    return places.map((place) => ({ path: place, ...lines }));
  });
}

function* eachMention(text: string): Generator<Mention> {
  const markedAt = markedTexts(text);
  for (const found of text.matchAll(WORD)) {
    const [hinted, before = ''] = found;
    const start = found.index - before.length;
    const end = found.index + hinted.length;
    const marked = markedAt(start);
    if (marked !== undefined) yield* wholeMentions(marked);
    yield* mentionsOfWord(text, [start, end], marked !== undefined);
  }
  yield* vaultLinks(text);
}

/** `[[docs/guide]]`, `[[guide#part|the guide]]`: the extension `.md` may be missing. */
function* vaultLinks(text: string): Generator<Mention> {
  for (const [, target = ''] of text.includes('[[') ? text.matchAll(VAULT_LINK) : []) {
    // In a table, the sign before the alias is escaped.
    const name = target.replace(/\\$/, '').trim();
    for (const path of [name, `${name}.md`]) yield* mentionsNamed(path, 'link');
  }
}

const VAULT_LINK = /\[\[([^[\]|#\n]{1,250})(?:#[^[\]|\n]{0,250})?(?:\|[^[\]\n]{0,250})?\]\]/g;

function withoutFences(text: string): string {
  const lines = parseLines(text).filter(({ fence }) => fence === undefined);
  return joinLines(lines);
}

/** Returns a function that finds the code span or angle-bracket target at a place; call it with increasing places. */
function markedTexts(text: string): (at: number) => MarkedText | undefined {
  let spans: ReturnType<typeof text.matchAll> | undefined;
  let span: RegExpExecArray | undefined;
  return (at) => {
    if (spans === undefined) {
      spans = text.matchAll(MARKED);
      span = spans.next().value;
    }
    while (span && span.index + span[0].length <= at) span = spans.next().value;
    if (span === undefined || span.index >= at) return undefined;
    const [, code, target = ''] = span;
    return code === undefined ? { path: target, mark: 'link' } : { path: code, mark: 'code' };
  };
}

interface MarkedText {
  readonly path: string;
  readonly mark: Mark;
}

const MARKED = /`+([^`\n]*)`+|\]\(<([^<>\n]*)>/g;

/** How a path is marked: not at all, by a code span, or as the target of a link. */
type Mark = 'none' | 'code' | 'link';

/** The mentions in the word between two places of a text. After a parenthesis, only a link target is a word. */
function mentionsOfWord(
  text: string,
  [start, end]: readonly [number, number],
  isMarked: boolean,
): readonly Mention[] {
  const written = text.slice(start, end);
  const word = written + restOfLines(written, text.slice(end, end + REST_MAX_CHARACTERS));
  if (TARGET.test(text.slice(Math.max(0, start - TARGET_MAX_CHARACTERS), start))) {
    return mentionsNamed(decodePath(linkTarget(word)), 'link');
  }
  const mark = isMarked ? 'code' : 'none';
  return possiblePaths(word).flatMap((path) => mentionsNamed(path, mark));
}

/** The text before the target of a link, in Markdown or HTML. */
const TARGET = /(?:\(|\]\(<|\]:[ \t]{0,4}<?|\b(?:href|src)=["']?)$/i;
const TARGET_MAX_CHARACTERS = 8;

/** Paths with spaces or other word-ending characters, only in marked text, whose beginning and end are known. */
function wholeMentions({ path: marked, mark }: MarkedText): readonly Mention[] {
  const mentions = ENDS_WORD.test(marked) ? mentionsNamed(marked.trim(), mark) : [];
  return mentions.filter(({ path }) => ENDS_WORD.test(path));
}

/** The mentions of a path in each form that may mean a file of the project. */
function mentionsNamed(named: string, mark: Mark): readonly Mention[] {
  if (named.length > CITED_PATH_MAX_CHARACTERS) return [];
  const { path: written, ...lines } = withLines(withoutSymbol(withoutEmphasis(named)));
  const path = mark === 'none' ? written : written.replace(/#.*/s, '');
  return pathSpellings(path)
    .filter((one) => isPath(one.replace(/^\//, ''), mark !== 'none'))
    .map((one) => {
      const isFromRoot = one.startsWith('/') && mark === 'link';
      return { path: one, ...lines, ...(isFromRoot && { isFromRoot: true as const }) };
    });
}
