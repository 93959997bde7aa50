import type { Database } from 'better-sqlite3';
import { eventLoop } from '../../../shared/in-batches.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { prepareOnce } from './statements.js';

/** Part of a table: a condition on an alias of the table, and its parameters. */
export interface RowPart {
  readonly condition: (alias: string) => string;
  readonly parameters: { readonly after?: number; readonly last?: number };
}

export const ALL_ROWS: RowPart = { condition: () => 'true', parameters: {} };

/** Number of rows per part. A table with no more rows than the first part is read at once. */
const ROWS = { first: 2_000, fewest: 500, most: 25_000 };

/** How long a part should block the event loop. */
const PART_MS = 50;

type PartedTable = 'chunks' | 'embeddings' | 'store_sources' | 'store_names';

/**
 * Reads a table in parts, with a turn of the event loop between them. Rows may change meanwhile. The size of each part
 * depends on how long the previous one took, so that parts are smaller on a busy machine.
 */
export async function inRowParts<T>(
  database: SqliteDatabase,
  table: PartedTable,
  work: (db: Database, part: RowPart) => T,
): Promise<readonly T[]> {
  const last = await database.read(
    (db) =>
      prepareOnce<[], number | null>(db, `SELECT max(rowid) FROM ${table}`).pluck().get() ?? 0,
  );
  if (last <= ROWS.first) return [await database.read((db) => work(db, ALL_ROWS))];
  const results: T[] = [];
  let rows = ROWS.first;
  for (let after = 0; after < last; ) {
    const parameters = { after, last: after + rows };
    let begin = 0;
    const read = await database.read((db) => {
      begin = performance.now();
      return work(db, { condition: ofPart, parameters });
    });
    results.push(read);
    after += rows;
    rows = rowsAfter(rows, performance.now() - begin);
    await eventLoop();
  }
  return results;
}

/** The size of the next part: at most twice the previous one, because an empty part takes no time. */
function rowsAfter(rows: number, ms: number): number {
  const wanted = Math.round(rows * Math.min(2, PART_MS / Math.max(1, ms)));
  return Math.min(ROWS.most, Math.max(ROWS.fewest, wanted));
}

function ofPart(alias: string): string {
  return `${alias}.rowid > @after AND ${alias}.rowid <= @last`;
}
