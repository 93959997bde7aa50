import { readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { fileId, SIDECARS } from './file-identity.js';

/**
 * Opens a database and reads it once: SQLite opens the log, and the index of the log, by their paths only then. Where a
 * folder above was replaced by a link since it was checked, those are elsewhere. Then what SQLite has made there is removed, and
 * the result is undefined. Only Linux tells which files a process has open; elsewhere this is not noticed.
 */
export function openInPlace(path: string, open: () => Database): Database | undefined {
  const folder = fileId(dirname(path));
  const before = openFiles();
  const begin = Date.now();
  const db = open();
  try {
    db.pragma('schema_version');
  } catch (error) {
    db.close();
    throw error;
  } finally {
    const names = SIDECARS.map((suffix) => basename(path) + suffix);
    const strays = [...openFiles()].flatMap(([descriptor, file]) => {
      const isNew = before.get(descriptor) !== file && names.includes(basename(file));
      return isNew && fileId(dirname(file)) !== folder ? [file] : [];
    });
    if (strays.length > 0) db.close();
    for (const file of strays) removeIfMadeSince(file, begin - CLOCK_TICK_MS);
  }
  return db.open ? db : undefined;
}

/** File systems take the time of a file from a clock that may be behind. */
const CLOCK_TICK_MS = 20;

/** Paths by descriptor. */
function openFiles(): ReadonlyMap<string, string> {
  const descriptors = '/proc/self/fd';
  const names = fileId(descriptors) === undefined ? [] : readdirSync(descriptors);
  const entries = names.flatMap((name) => {
    try {
      return [[name, readlinkSync(`${descriptors}/${name}`)] as const];
    } catch {
      return []; // It was closed meanwhile.
    }
  });
  return new Map(entries);
}

/** A file that was there before belongs to somebody else. */
function removeIfMadeSince(file: string, begin: number): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && found.birthtimeMs >= begin) rmSync(file, { force: true });
}
