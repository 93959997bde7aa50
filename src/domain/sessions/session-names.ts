/** The files of one session, as names without `.md`. */
export interface SessionFiles {
  /** The UTC date on which it began; absent if somebody renamed the file. */
  readonly day?: string;
  /** In the order in which they continue the session; not empty. */
  readonly names: readonly [string, ...string[]];
}

/** The sessions in these files, newest day first. */
export function groupSessionFiles(names: readonly string[]): readonly SessionFiles[] {
  const known = new Set(names);
  const parts = new Map<string, [string, ...string[]]>();
  const first = (name: string): string => {
    const base = CONTINUATION.exec(name)?.[1];
    return base !== undefined && known.has(base) ? first(base) : name;
  };
  for (const name of names) {
    const base = first(name);
    if (base === name) parts.set(name, [name]);
  }
  for (const name of names.toSorted(byPart)) {
    const base = first(name);
    if (base !== name) parts.get(base)?.push(name);
  }
  return [...parts.values()].map(toSession).toSorted(newestFirst);
}

/** `<name>-2` continues `<name>`. */
const CONTINUATION = /^(.+)-([2-9]|[1-9]\d{1,5})$/;

function byPart(a: string, b: string): number {
  return Number(CONTINUATION.exec(a)?.[2] ?? 0) - Number(CONTINUATION.exec(b)?.[2] ?? 0);
}

function toSession(names: [string, ...string[]]): SessionFiles {
  const day = /^\d{4}-\d{2}-\d{2}(?=-)/.exec(names[0])?.[0];
  return { names, ...(day !== undefined && { day }) };
}

function newestFirst({ day: a = '', ...one }: SessionFiles, { day: b = '', ...two }: SessionFiles) {
  if (a !== b) return a < b ? 1 : -1;
  return one.names[0] < two.names[0] ? 1 : -1;
}
