import { containsUnspaced } from '../bigrams.js';
import { joinLines, parseLines } from '../chunks/markdown.js';
import { CITED_PATH_MAX_CHARACTERS, MENTIONS_MAX } from '../limits.js';
import { type CitedPlace, placeKey } from './cited-place.js';
import { isPath, PATH_HINT, withoutEmphasis } from './mentioned-path.js';

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
  for (const mention of eachMention(/```|~~~/.test(text) ? unfenced(text) : text)) {
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
    yield* wholeMentions(marked);
    yield* mentionsOfWord(text, [start, end], marked !== '');
  }
  yield* vaultLinks(text);
}

/** `[[docs/guide]]`, `[[guide#part|the guide]]`: the extension `.md` may be missing. */
function* vaultLinks(text: string): Generator<Mention> {
  for (const [, target = ''] of text.includes('[[') ? text.matchAll(VAULT_LINK) : []) {
    for (const name of [target.trim(), `${target.trim()}.md`]) yield* mentionsNamed(name, 'code');
  }
}

const VAULT_LINK = /\[\[([^[\]|#\n]{1,250})(?:#[^[\]|\n]{0,250})?(?:\|[^[\]\n]{0,250})?\]\]/g;

function unfenced(text: string): string {
  const lines = parseLines(text).filter(({ fence }) => fence === undefined);
  return joinLines(lines);
}

/** Non-ASCII punctuation and quotation marks, which a path may follow without a space. */
const WIDE_SIGNS =
  '\\u00b7\\u060c\\u061b\\u061f\\u06d4\\u0964\\u0965\\u2012-\\u2015\\u2022\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u30fb\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65\\u2190-\\u21ff“”‘’„«»‹›';
/** A character of a word; the target of a link is a word by itself. */
const IN_WORD = `(?:[^\\s"'\`<>|,;=(${WIDE_SIGNS}]|(?<!\\])\\()`;
/** A word that may be a path, with the text before it; most text is skipped. */
const WORD = new RegExp(`(?:${PATH_HINT})(?<=(${IN_WORD}*).)${IN_WORD}*`, 'gi');

/** Returns a function that finds the code span or angle-bracket target at a place; call it with increasing places. */
function markedTexts(text: string): (at: number) => string {
  let spans: ReturnType<typeof text.matchAll> | undefined;
  let span: RegExpExecArray | undefined;
  return (at) => {
    if (spans === undefined) {
      spans = text.matchAll(MARKED);
      span = spans.next().value;
    }
    while (span && span.index + span[0].length <= at) span = spans.next().value;
    return span && span.index < at ? (span[1] ?? span[2] ?? '') : '';
  };
}

const MARKED = /`+([^`\n]*)`+|\]\(<([^<>\n]*)>/g;

/** The text before a link's closing parenthesis; balanced parentheses belong to the path. */
function linkTarget(word: string): string {
  let depth = 0;
  for (let at = 0; at < word.length; at += 1) {
    if (word[at] === '(') depth += 1;
    if (word[at] === ')') depth -= 1;
    if (depth < 0) return word.slice(0, at);
  }
  return bare(word);
}

/** A word without punctuation and emphasis around it. */
function bare(word: string): string {
  const opened = word.replace(/^[([{*~]+/, '');
  let end = opened.length;
  while (end > 0 && CLOSING.includes(opened.charAt(end - 1))) {
    const open = PAIRS[opened.charAt(end - 1)];
    if (open !== undefined && opened.includes(open)) break;
    end -= 1;
  }
  return opened.slice(0, end);
}

const CLOSING = ')]}*~.,:;!?…';
const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** How a path is marked: not at all, by a code span, or as the target of a link. */
type Mark = 'none' | 'code' | 'link';

/** The mentions in the word between two places of a text. After a parenthesis, only a link target is a word. */
function mentionsOfWord(
  text: string,
  [start, end]: readonly [number, number],
  isMarked: boolean,
): readonly Mention[] {
  const word = text.slice(start, end);
  if (text[start - 1] === '(') return mentionsNamed(decoded(linkTarget(word)), 'link');
  const column = /\(\d{1,7}$/.test(word) ? /^,\d{1,7}\)/.exec(text.slice(end, end + 9)) : null;
  const named = bare(word + (column?.[0] ?? ''));
  const mark = isMarked ? 'code' : 'none';
  return [named, withoutWideLetters(named)].flatMap((name) => mentionsNamed(name, mark));
}

/** The path in a Chinese or Japanese word, written without spaces: `修改src/a.ts即可`. */
function withoutWideLetters(word: string): string {
  const runs = containsUnspaced(word) ? (word.match(/[!-~]+/g) ?? []) : [];
  return bare(runs.toSorted((a, b) => b.length - a.length)[0] ?? '');
}

/** Paths with spaces or other word-ending characters, only in marked text, whose beginning and end are known. */
function wholeMentions(marked: string): readonly Mention[] {
  const mentions = ENDS_WORD.test(marked) ? mentionsNamed(marked.trim(), 'code') : [];
  return mentions.filter(({ path }) => ENDS_WORD.test(path));
}

const ENDS_WORD = new RegExp(`[ ',;=(${WIDE_SIGNS}]`);

/** One mention, or two if the path begins with `@`: either a marker, or part of a folder such as `@types`. */
function mentionsNamed(named: string, mark: Mark): readonly Mention[] {
  if (named.length > CITED_PATH_MAX_CHARACTERS) return [];
  const { path: written, ...lines } = withLines(withoutEmphasis(named));
  const whole = mark === 'none' ? written : written.replace(/#.*/s, '');
  const path = whole.replace(/\\(?=[\w.-])/g, '/').replace(/^(?:file:\/\/(?=\/)|(?:\.\/)+)/, '');
  const spellings = /^@[\w.]/.test(path) ? [path.slice(1), path] : [path];
  return spellings
    .filter((one) => isPath(one.replace(/^\//, ''), mark !== 'none'))
    .map((one) => {
      const isFromRoot = one.startsWith('/') && mark === 'link';
      return { path: one, ...lines, ...(isFromRoot && { isFromRoot: true as const }) };
    });
}

/** A path and the line numbers at its end, if they are valid. */
function withLines(named: string): Mention {
  const found = LINES.exec(named);
  if (found === null) return { path: named };
  const path = named.slice(0, found.index);
  const from = Number(found[1] ?? found[3] ?? found[5]);
  const to = Number(found[2] ?? found[4] ?? from);
  return from >= 1 && to >= from ? { path, lines: { from, to } } : { path };
}

/** A link target, percent-decoded. */
function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Lines at the end of a path, as editors, compilers and code hosts write them; a column is ignored. */
const LINES =
  /(?::L?(\d{1,7})(?:-L?(\d{1,7})|:\d{1,7})?|#L(\d{1,7})(?:-L?(\d{1,7}))?|\((\d{1,7})(?:[,:]\d{1,7})?\))$/;
