import { randomUUID } from 'node:crypto';
import { linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { retryWhileBusy } from '../database/lock-waiting.js';
import { checkPages } from '../database/page-check.js';
import { createPrivateFile, openFile, SIDECARS } from '../database/store-files.js';
import { checkSchema } from '../schema/schema-check.js';

/** A whole copy of a database in one temporary file. */
export interface DatabaseCopy {
  readonly chunks: number;
  /** What SQLite says of it if a page is damaged. */
  readonly damage: string | undefined;
  /** Gives it another name; false if something has that name. */
  linkTo(path: string): boolean;
  /** Removes the temporary name. */
  remove(): void;
}

/**
 * Copies one committed state of a database that may be in use, by SQLite's online backup.
 * @param directory where the copy is made
 * @throws KnowledgeError as `checkSchema` does; SqliteError
 */
export async function copyDatabase(path: string, directory: string): Promise<DatabaseCopy> {
  const temporary = join(directory, `.${randomUUID()}.tmp`);
  const remove = () => {
    for (const suffix of ['', ...SIDECARS]) rmSync(temporary + suffix, { force: true });
  };
  try {
    createPrivateFile(temporary);
    await withDatabase(path, (source) => copyInto(source, temporary));
    const checked = await withDatabase(temporary, (copy) => finished(copy));
    return { ...checked, remove, linkTo: (target) => linkOnce(temporary, target) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** An open transaction keeps the state: a write of another process would otherwise begin the copy again. */
async function copyInto(source: Database.Database, target: string): Promise<void> {
  await retryWhileBusy(() => {
    source.pragma('trusted_schema = OFF');
    if (!source.inTransaction) source.exec('BEGIN');
    checkSchema(source);
  });
  await source.backup(target, { progress: () => PAGES_AT_ONCE });
  source.exec('COMMIT');
}

/** With a rollback journal the copy is one file; the next opening of the store switches back to WAL. */
async function finished(copy: Database.Database): Promise<Pick<DatabaseCopy, 'chunks' | 'damage'>> {
  copy.pragma('trusted_schema = OFF');
  const [damage] = checkPages(copy, 'integrity_check').damage;
  if (damage !== undefined) return { chunks: 0, damage };
  copy.pragma('journal_mode = DELETE');
  const count = copy.prepare<[], number>('SELECT count(*) FROM chunks').pluck();
  return { chunks: count.get() ?? 0, damage: undefined };
}

async function withDatabase<T>(
  path: string,
  work: (db: Database.Database) => Promise<T>,
): Promise<T> {
  const db = await retryWhileBusy(() => openFile(path));
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** 4 MB: a few milliseconds, between which the event loop runs. */
const PAGES_AT_ONCE = 1000;

function linkOnce(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
