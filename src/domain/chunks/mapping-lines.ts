/**
 * Whether a text between two rules looks like a YAML mapping, even if it is not valid YAML: every line is an entry,
 * part of the entry above it, blank, or a comment. Prose does not, even if its first line has a colon.
 */
export function isLikeMapping(yaml: string): boolean {
  const lines = yaml
    .split(/\r\n|\r|\n/)
    .filter((line) => /^[ \t]*[^\s#]/.test(line) && !CONFLICT_MARK.test(line));
  const [first] = lines;
  if (first === undefined) return yaml.trim() === '';
  const margin = first.search(/\S/);
  const entries = lines.filter((line) => line.search(/\S/) <= margin);
  return areEntries(entries, CLOSERS) || areEntries(entries, NO_CLOSERS);
}

/** Git's markers around the versions in a merge conflict. */
const CONFLICT_MARK = /^(?:<{7}|>{7}|\|{7}|={7})(?: |$)/;

/** What may follow an entry without indentation: list items, or the rest of a value in brackets or quotes. */
type Following = 'entry' | 'item' | ']' | '}' | '"' | "'";

type Closers = ReadonlyMap<string, Following>;

const CLOSERS: Closers = new Map([
  ['[', ']'],
  ['{', '}'],
  ['"', '"'],
  ["'", "'"],
]);

/** For a value without a closing bracket or quote. */
const NO_CLOSERS: Closers = new Map();

function areEntries(lines: readonly string[], closers: Closers): boolean {
  let following: Following = 'entry';
  for (const line of lines) {
    const text = line.trim();
    if (following !== 'entry' && following !== 'item') {
      if (text.endsWith(following)) following = 'entry';
      continue;
    }
    if (/^-(?:\s|$)/.test(text)) {
      if (following === 'entry') return false;
      continue;
    }
    const value = entryValue(text);
    if (value === undefined) return false;
    following = readFollowing(value, closers);
  }
  return following === 'entry' || following === 'item';
}

function readFollowing(value: string, closers: Closers): Following {
  if (value === '' || /^[#&!]/.test(value)) return 'item';
  const closer = closers.get(value.charAt(0));
  const isClosed = closer === undefined || (value.length > 1 && value.endsWith(closer));
  return isClosed ? 'entry' : closer;
}

/** The value of an entry; undefined if the text is not an entry. A flow mapping is its own value. */
function entryValue(text: string): string | undefined {
  if (text.startsWith('{')) return text;
  if (/^[?:](?:\s|$)/.test(text)) return '';
  if (MARKDOWN.test(text)) return undefined;
  return ENTRY.exec(text)?.[1]?.trim();
}

/** The beginning of Markdown text: emphasis, code, a link, a picture, a quote, a tag, a table row, or a list item. */
const MARKDOWN =
  /^(?:\*{1,3}[^\s*:]|_[^\s_][^_]*_:|[`[>|•]|!\[|~~|==|<[a-z/!]|\+\s|\d{1,9}[.)]\s)/i;

/**
 * A key with a colon and a value: one word, a word with colons such as `og:title`, or any text, plain or quoted. A
 * time, a URL and an address with a port are not keys.
 */
const ENTRY =
  /^(?:[a-z_][\w-]*:(?!\/\/|\d+\s)|\S+:(?=\s|$)|(?:"[^"]*"\s*|'[^']*'\s*|[^\s:#][^:]*):(?=\s|$))(.*)/i;

/**
 * Whether a text is certainly a YAML mapping: one key per line, with a plain value, a list of plain values, or none.
 * Much faster than the parser, which decides the other cases.
 */
export function isPlainMapping(yaml: string): boolean {
  const keys = new Set<string>();
  let margin: string | undefined;
  for (const line of yaml.split(/\r?\n/).filter((one) => one !== '')) {
    const [, itemMargin, item] = PLAIN_ITEM.exec(line) ?? [];
    if (item !== undefined) {
      margin ??= itemMargin;
      if (keys.size === 0 || itemMargin !== margin || NOT_PLAIN.test(item)) return false;
      continue;
    }
    const [, key, value] = PLAIN_ENTRY.exec(line) ?? [];
    if (key === undefined || keys.has(key.toLowerCase()) || NOT_PLAIN.test(value ?? ''))
      return false;
    keys.add(key.toLowerCase());
    // Items may only follow a key without a value.
    margin = value === undefined ? undefined : NONE;
  }
  return true;
}

const PLAIN_ENTRY = /^([a-z][\w.-]*(?: [\w.-]+)*):(?: +([a-z0-9].*)?)?$/i;
const PLAIN_ITEM = /^( *)- +([a-z0-9].*)$/i;
/** Differs from the margin of every item. */
const NONE = '-';
/** Characters with a meaning inside or at the end of a plain value. */
const NOT_PLAIN = /:[ \t]|[ \t]#|:$|\t/;
