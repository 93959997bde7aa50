import { appendFileSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readSize } from './files.js';

/**
 * The database files that this machine has created or has checked page by page. A file that came with a repository, and
 * its log, must be checked first.
 */
export class SeenDatabases {
  readonly #file: string | undefined;
  readonly #written = new Set<string>();

  /** @param file records them for other processes; by default, only this process remembers them */
  constructor(file?: string) {
    this.#file = file;
  }

  /** Whether a database and its log are known, and no transaction waits to be rolled back. */
  has(path: string): boolean {
    if (readSize(`${path}-journal`) > 0) return false;
    const files = readSize(`${path}-wal`) > 0 ? [path, `${path}-wal`] : [path];
    const ids = files.map(readCreation);
    if (ids.every((id) => id !== undefined && SEEN_HERE.has(id))) return true;
    for (const id of this.#read()) {
      SEEN_HERE.add(id);
      this.#written.add(id);
    }
    return ids.every((id) => id !== undefined && SEEN_HERE.has(id));
  }

  /** Remembers a database and its log. If the record cannot be written, only this process remembers them. */
  add(path: string): void {
    const ids = [path, `${path}-wal`].map(readCreation).filter((id) => id !== undefined);
    for (const id of ids) SEEN_HERE.add(id);
    const added = ids.filter((id) => !this.#written.has(id));
    for (const id of added) this.#written.add(id);
    if (this.#file === undefined || added.length === 0) return;
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      if (readSize(this.#file) > MAX_BYTES) {
        const lines = this.#read().slice(-KEPT_LINES);
        writeFileSync(this.#file, lines.map((id) => `${id}\n`).join(''), { mode: 0o600 });
      }
      appendFileSync(this.#file, added.map((id) => `${id}\n`).join(''), { mode: 0o600 });
    } catch {
      // The next process checks them again.
    }
  }

  /** Forgets a database that proved to be damaged, so that the next opening checks every page. */
  forget(path: string): void {
    const gone = readCreation(path);
    if (gone === undefined) return;
    const known = this.#read();
    for (const ids of [SEEN_HERE, this.#written]) ids.delete(gone);
    if (this.#file === undefined || !known.includes(gone)) return;
    const left = known.filter((id) => id !== gone);
    try {
      writeFileSync(this.#file, left.map((id) => `${id}\n`).join(''), { mode: 0o600 });
    } catch {
      // The record still lists the database.
    }
  }

  #read(): readonly string[] {
    if (this.#file === undefined) return [];
    try {
      return readFileSync(this.#file, 'utf8').split('\n').filter(Boolean);
    } catch {
      return [];
    }
  }
}

const SEEN_HERE = new Set<string>();

const MAX_BYTES = 256 * 1024;
const KEPT_LINES = 2_000;

/** Identifies a file among all that are or were at its path; undefined if it does not exist. */
function readCreation(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found && [found.dev, found.ino, found.birthtimeNs].join(' ');
}
