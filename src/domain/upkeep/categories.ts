/** The names of memory categories, which are also file names: `<appdir>/memory/<name>.md`. */
export const CATEGORY_NAME_MAX_CHARACTERS = 64;

const CATEGORY_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** The second half of a sentence that begins with the name of the field. */
export const CATEGORY_NAME_RULE = `must be at most ${CATEGORY_NAME_MAX_CHARACTERS} letters, digits, "_" and "-", and begin with a letter or digit`;

export function isCategoryName(name: string): boolean {
  return name.length <= CATEGORY_NAME_MAX_CHARACTERS && CATEGORY_NAME_PATTERN.test(name);
}

/** What replaced a text of a category that is kept in the history. */
export type Replacing = 'summary' | 'restored';

/** The name, without `.md`, of the file in the history that keeps the text of a category replaced at `time`. */
export function historyName(category: string, time: Date, by: Replacing): string {
  return `${category}-${stampOf(time)}${SUFFIXES[by]}`;
}

/**
 * The file in the history that keeps what the last summary of a category replaced; undefined if there is
 * none, or if that text has been put back since: a request that is sent twice must not undo itself. Files that are
 * dated after `now` are ignored.
 * @param names of all files in the history, without `.md` and in any order
 */
export function lastReplacedBySummary(
  category: string,
  names: readonly string[],
  now: Date,
): string | undefined {
  const latestStamp = stampOf(now);
  const [latest] = names
    .flatMap((name) => entryOf(category, name) ?? [])
    .filter(({ stamp }) => stamp <= latestStamp)
    .toSorted((a, b) => compare(b.stamp, a.stamp) || compare(a.by, b.by));
  return latest?.by === 'summary' ? latest.name : undefined;
}

interface HistoryEntry {
  readonly name: string;
  readonly stamp: string;
  readonly by: Replacing;
}

const SUFFIXES: Readonly<Record<Replacing, string>> = { summary: '', restored: '-restored' };

const AFTER_CATEGORY = /^-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)(-restored)?$/;

function stampOf(time: Date): string {
  return time.toISOString().replaceAll(':', '-');
}

function entryOf(category: string, name: string): HistoryEntry | undefined {
  if (!name.startsWith(category)) return undefined;
  const [, stamp, restored] = AFTER_CATEGORY.exec(name.slice(category.length)) ?? [];
  if (stamp === undefined) return undefined;
  return { name, stamp, by: restored === undefined ? 'summary' : 'restored' };
}

/** By code units; times in ISO 8601 are in order. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
