import { lstatSync, renameSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { isPushed } from '../../../domain/pushed-document.js';
import { checkSchema } from '../schema/schema-check.js';
import { ADDABLE_COLUMNS, REQUIRED_COLUMNS } from '../schema/table-columns.js';
import { fileId, openFile, SIDECARS, sizeOf } from './store-files.js';

export interface MovedAside {
  readonly at: Date;
  /** Why: part of the new name. */
  readonly as: 'corrupt' | 'replaced';
}

/**
 * Moves a database and its sidecars out of the way, and returns the new path of the database.
 * @param id the `fileId` of the file that is meant. If `path` is another file by now, nothing is moved and
 *   the result is undefined: a second process that found the same damage may already have created a new
 *   store.
 */
export function moveAside(path: string, id: string, { at, as }: MovedAside): string | undefined {
  if (fileId(path) !== id) return undefined;
  const aside = freeName(`${path}.${as}-${at.toISOString().replaceAll(':', '-')}`);
  for (const suffix of ['', ...SIDECARS]) {
    const isThere = lstatSync(path + suffix, { throwIfNoEntry: false }) !== undefined;
    if (isThere) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

/** With a number if something has that name: two within a millisecond. */
function freeName(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}.${number}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}

/** How many rows could be copied out of a damaged database. */
export interface Salvage {
  readonly chunks: number;
  readonly vectors: number;
}

/**
 * Copies what can still be read of a damaged database into the new one, `db`: rows of other programs,
 * retrieval counts, vectors and questions. Sources are recorded as changed, so that the next ingestion
 * corrects all their rows; those that were pushed, which no ingestion can read again, as they were. Must run in
 * a write transaction of `db`; never throws because of the damage.
 */
export function salvage(db: Database.Database, damagedPath: string): Salvage {
  const damaged = openDamaged(damagedPath);
  if (damaged === undefined) return { chunks: 0, vectors: 0 };
  try {
    const owned = new Set(
      readableRows(damaged, 'store_owned').map((row) => String(row['chunk_id'])),
    );
    const rows = readableRows(damaged, 'chunks').filter((row) => copyRow(db, 'chunks', row));
    const vectors = readableRows(damaged, 'embeddings').filter((row) =>
      copyRow(db, 'embeddings', row),
    );
    const hashes = pushedHashes(damaged);
    for (const row of rows)
      if (owned.size === 0 ? looksOwned(row) : owned.has(String(row['id'])))
        claim(db, row, hashes.get(row['source_file']) ?? '');
    return { chunks: rows.length, vectors: vectors.length };
  } finally {
    damaged.close();
  }
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Undefined if the file cannot be opened, or fails `checkSchema`: an unsafe schema is refused even if it is
 * damaged.
 */
function openDamaged(path: string): Database.Database | undefined {
  let db: Database.Database | undefined;
  try {
    db = openFile(path);
    db.pragma('trusted_schema = OFF');
    checkSchema(db);
    return db;
  } catch {
    db?.close();
    return undefined;
  }
}

/**
 * Reads a table forwards up to the damage, then backwards from its end. Rows that share pages may hold more
 * than the file: what is beyond its size is left out.
 */
function readableRows(db: Database.Database, table: string): readonly Row[] {
  const rows = new Map<unknown, Row>();
  let room = sizeOf(db.name) + sizeOf(`${db.name}-wal`);
  for (const order of ['ASC', 'DESC']) {
    try {
      const query = db.prepare<[], Row>(
        `SELECT rowid AS row_number, * FROM ${table} ORDER BY rowid ${order}`,
      );
      for (const row of query.iterate()) {
        room -= lengthOf(row);
        if (room < 0 || rows.has(row['row_number'])) break;
        rows.set(row['row_number'], row);
      }
    } catch {
      // The damage begins here; the other direction may still reach more.
    }
  }
  return [...rows.values()];
}

/** In bytes or UTF-16 units, never more than the row takes in the file. */
function lengthOf(row: Row): number {
  return Object.values(row).reduce<number>(
    (sum, value) =>
      sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0),
    0,
  );
}

/** Copies only known columns: the names of others come from an untrusted file and must not get into a statement. */
function copyRow(db: Database.Database, table: string, row: Row): boolean {
  const known = { ...REQUIRED_COLUMNS[table], ...ADDABLE_COLUMNS[table] };
  const columns = Object.keys(known).filter((name) => Object.hasOwn(row, name));
  try {
    const places = columns.map((name) => `@${name}`).join(', ');
    db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`).run(row);
    return true;
  } catch {
    return false;
  }
}

/** Whether an id has the form that this service gives (docs/specification.md, "Chunks and sources"). */
function looksOwned(row: Row): boolean {
  return row['id'] === `${String(row['source_file'])}#${String(row['chunk_index'])}`;
}

/** By source file. Pushed documents have no file: with another hash, the next ingestion would remove them. */
function pushedHashes(damaged: Database.Database): ReadonlyMap<unknown, string> {
  const sources = readableRows(damaged, 'store_sources').map(
    (row) => [row['source_file'], String(row['content_hash'])] as const,
  );
  return new Map(sources.filter(([, contentHash]) => isPushed({ contentHash })));
}

function claim(db: Database.Database, row: Row, contentHash: string): void {
  db.prepare('INSERT INTO store_owned (chunk_id) VALUES (?)').run(row['id']);
  db.prepare(
    `INSERT INTO store_sources (source_file, source_type, content_hash, chunk_count)
     VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING`,
  ).run(row['source_file'], row['source_type'], contentHash);
}
