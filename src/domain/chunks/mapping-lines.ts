/**
 * Whether a text between two rules looks like a YAML mapping, also one that is not quite YAML: every line is an entry,
 * part of the value of the entry above it, blank, or a comment. Prose is not, even if its first line has a colon.
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

/** Of git, around the versions of a failed merge. */
const CONFLICT_MARK = /^(?:<{7}|>{7}|\|{7}|={7})(?: |$)/;

/**
 * Lines that may follow an entry without indentation: items of a list, or the rest of a value in brackets or quotes.
 */
type Following = 'entry' | 'item' | ']' | '}' | '"' | "'";

type Closers = ReadonlyMap<string, Following>;

const CLOSERS: Closers = new Map([
  ['[', ']'],
  ['{', '}'],
  ['"', '"'],
  ["'", "'"],
]);

/** For a value that is never closed. */
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

/** The value of an entry; undefined if the text is not one. A flow mapping is its own value. */
function entryValue(text: string): string | undefined {
  if (text.startsWith('{')) return text;
  if (/^[?:](?:\s|$)/.test(text)) return '';
  return ENTRY.exec(text)?.[1]?.trim();
}

/**
 * A key with a colon and a value: one word, a word with colons such as `og:title`, or any text, plain or quoted. A
 * time, a URL and an address with a port are no keys.
 */
const ENTRY =
  /^(?:[a-z_][\w-]*:(?!\/\/|\d+\s)|\S+:(?=\s|$)|(?:"[^"]*"\s*|'[^']*'\s*|[^\s:#][^:]*):(?=\s|$))(.*)/i;

/**
 * Whether a text is surely a YAML mapping: a key per line, with a plain value or a list of them or none. Much faster
 * than parsing it, which decides about the others.
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
    // Items may follow a key without a value only.
    margin = value === undefined ? undefined : NONE;
  }
  return true;
}

const PLAIN_ENTRY = /^([a-z][\w.-]*(?: [\w.-]+)*):(?: +([a-z0-9].*)?)?$/i;
const PLAIN_ITEM = /^( *)- +([a-z0-9].*)$/i;
/** The margin of no item. */
const NONE = '-';
/** Signs that mean something inside or at the end of a plain value. */
const NOT_PLAIN = /:[ \t]|[ \t]#|:$|\t/;
