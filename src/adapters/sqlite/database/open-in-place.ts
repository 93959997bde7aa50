import { fstatSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { fileId, SIDECARS } from './file-identity.js';

/**
 * Opens a database, uses it and reads it: SQLite opens the log, and the index of the log, by their paths only at the first read, or the
 * first one after it has switched to a log. Where a folder above was replaced by a link since it was checked, those are elsewhere. Then
 * what SQLite has made there is removed, and the result is undefined. Only Linux tells which files a process has open; elsewhere this is
 * not noticed. `use` must leave the database open.
 */
export function openInPlace(
  path: string,
  open: () => Database,
  use: (db: Database) => void = () => undefined,
): Database | undefined {
  const folder = fileId(dirname(path));
  const before = openFiles();
  const begin = Date.now();
  const db = open();
  let failure: unknown;
  try {
    use(db);
    db.pragma('schema_version');
  } catch (error) {
    failure = error;
  }
  const names = SIDECARS.map((suffix) => basename(path) + suffix);
  const opened = [...openFiles()].filter(([descriptor, id]) => before.get(descriptor) !== id);
  const strays = opened
    .flatMap(([descriptor]) => pathOf(descriptor))
    .filter((file) => names.includes(basename(file)) && fileId(dirname(file)) !== folder);
  if (failure !== undefined || strays.length > 0) db.close();
  for (const file of strays) removeIfMadeSince(file, begin - CLOCK_TICK_MS);
  if (failure !== undefined) throw failure;
  return db.open ? db : undefined;
}

/** File systems take the time of a file from a clock that may be behind. */
const CLOCK_TICK_MS = 20;

/** Device and inode by descriptor: the path of a file that another project has open may change at any time. */
function openFiles(): ReadonlyMap<string, string> {
  const names = fileId(DESCRIPTORS) === undefined ? [] : readdirSync(DESCRIPTORS);
  const entries = names.flatMap((name) =>
    unlessClosed(() => {
      const { dev, ino } = fstatSync(Number(name), { bigint: true });
      return [name, `${dev} ${ino}`] as const;
    }),
  );
  return new Map(entries);
}

const DESCRIPTORS = '/proc/self/fd';

function pathOf(descriptor: string): readonly string[] {
  return unlessClosed(() => readlinkSync(join(DESCRIPTORS, descriptor)));
}

/** Nothing if the descriptor was closed meanwhile. */
function unlessClosed<T>(read: () => T): readonly T[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}

/** A file that was there before belongs to somebody else. */
function removeIfMadeSince(file: string, begin: number): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && found.birthtimeMs >= begin) rmSync(file, { force: true });
}
