import type { Database } from 'better-sqlite3';
import { eventLoop } from '../../../shared/in-batches.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { prepared } from '../database/statements.js';

/** A part of a table, as a condition on an alias of it, and what that takes. */
export interface RowPart {
  readonly condition: (alias: string) => string;
  readonly parameters: { readonly after?: number; readonly last?: number };
}

export const ALL_ROWS: RowPart = { condition: () => 'true', parameters: {} };

/** Some 100 ms of comparing vectors, so that a large project does not keep the event loop from other work. */
const ROWS = 25_000;

/** Reads one part of a table after another, with a turn of the event loop between them; a small table is one part. Rows may change meanwhile. */
export async function inRowParts<T>(
  database: SqliteDatabase,
  table: 'chunks' | 'embeddings',
  work: (db: Database, part: RowPart) => T,
): Promise<readonly T[]> {
  const last = await database.read(
    (db) => prepared<[], number | null>(db, `SELECT max(rowid) FROM ${table}`).pluck().get() ?? 0,
  );
  if (last <= ROWS) return [await database.read((db) => work(db, ALL_ROWS))];
  const results: T[] = [];
  for (let after = 0; after < last; after += ROWS) {
    const parameters = { after, last: after + ROWS };
    results.push(await database.read((db) => work(db, { condition: ofPart, parameters })));
    await eventLoop();
  }
  return results;
}

function ofPart(alias: string): string {
  return `${alias}.rowid > @after AND ${alias}.rowid <= @last`;
}
