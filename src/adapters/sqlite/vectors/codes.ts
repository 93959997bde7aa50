import type { Database } from 'better-sqlite3';
import { normalized, type Vector } from '../../../domain/ranking/vector.js';
import { prepared } from '../database/prepared.js';
import { toVector } from '../database/vector-blob.js';

/**
 * The direction of a vector in one signed byte per dimension, by which sqlite-vec finds the nearest vectors in a
 * fraction of the time that comparing all of them takes (docs/decisions/0039-codes-in-a-plain-table.md). Empty
 * for what has no direction.
 */
export function codeOf(vector: Vector): Buffer {
  const unit = normalized(vector) ?? new Float32Array();
  const code = Int8Array.from(unit, (value) =>
    Math.min(LARGEST_VALUE, Math.max(-LARGEST_VALUE, Math.round(value * SCALE))),
  );
  return Buffer.from(code.buffer);
}

/** Values of a vector of length 1 beyond 0.25 become the largest one, which hardly any are. */
const SCALE = 508;
const LARGEST_VALUE = 127;

/** Rows of `embeddings` whose codes are nearest to that of `query`, after those that have no code yet. */
export function rowsByCode(db: Database, query: Vector, limit: number): CodedRows {
  const found = prepared<unknown[], readonly [row: number, isKnown: 0 | 1]>(
    db,
    `SELECT row, code IS NOT NULL FROM store_codes
     WHERE code IS NULL OR typeof(code) = 'blob' AND length(code) = @length
     ORDER BY iif(code IS NULL, -1, vec_distance_l1(vec_int8(code), vec_int8(@code))) LIMIT @limit`,
  )
    .raw()
    .all({ code: codeOf(query), length: query.length, limit });
  const known = found.filter(([, isKnown]) => isKnown === 1).length;
  return { rows: found.map(([row]) => row), known };
}

interface CodedRows {
  readonly rows: readonly number[];
  /** How many of them have a code. */
  readonly known: number;
}

/**
 * Makes at most `limit` of the missing codes, in a write transaction; returns whether those were all. Then those of
 * vectors go that a REPLACE of another program has deleted without telling the trigger.
 */
export function makeCodes(db: Database, dimensions: number, limit: number): boolean {
  const rows = db
    .prepare<[number], { readonly row: number; readonly blob: unknown }>(
      `SELECT k.row, e.embedding AS blob FROM store_codes k LEFT JOIN embeddings e ON e.rowid = k.row
       WHERE k.code IS NULL LIMIT ?`,
    )
    .all(limit);
  const update = prepared(db, 'UPDATE store_codes SET code = ? WHERE row = ?');
  for (const { row, blob } of rows) {
    update.run(codeOf(toVector(blob, dimensions) ?? new Float32Array()), row);
  }
  const isDone = rows.length < limit;
  if (isDone) db.exec('DELETE FROM store_codes WHERE row NOT IN (SELECT rowid FROM embeddings)');
  return isDone;
}
