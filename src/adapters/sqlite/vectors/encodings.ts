import { endianness } from 'node:os';
import { dot, isStorable, normalized, type Vector } from '../../../domain/ranking/vector.js';
import { Database } from '../database/driver.js';
import { prepared } from '../database/prepared.js';

/** A vector as it is stored: little-endian 32-bit floats (docs/specification.md, "Embedding component"). */
export function toBlob(vector: Vector): Buffer {
  const bytes = Buffer.from(Float32Array.from(vector).buffer);
  return endianness() === 'LE' ? bytes : bytes.swap32();
}

/**
 * The vector of a blob; undefined where it has another size, values that are not finite, or a length
 * whose square is zero or infinite as a 32-bit float, the precision in which vectors are compared.
 */
export function toVector(blob: unknown, dimensions: number): Vector | undefined {
  if (!(blob instanceof Uint8Array) || blob.byteLength !== dimensions * BYTES_PER_VALUE) {
    return undefined;
  }
  const bytes = Buffer.alloc(blob.byteLength);
  bytes.set(blob);
  if (endianness() === 'BE') bytes.swap32();
  const vector = new Float32Array(bytes.buffer, bytes.byteOffset, dimensions);
  if (!isStorable(vector, dimensions)) return undefined;
  const square = Math.fround(dot(vector, vector));
  return square > 0 && Number.isFinite(square) ? vector : undefined;
}

export const BYTES_PER_VALUE = 4;

/** Teaches a connection `is_vector(blob)`: whether a blob is a vector of these dimensions that may be compared. */
export function registerFunctions(db: Database, dimensions: number): void {
  db.function('is_vector', { deterministic: true, directOnly: true }, (blob: unknown) =>
    toVector(blob, dimensions) === undefined ? 0 : 1,
  );
}

/**
 * The direction of a vector in one signed byte per dimension, by which sqlite-vec finds the nearest vectors in a
 * fraction of the time that comparing all of them takes (docs/decisions/0041-codes-in-a-plain-table.md).
 */
export function codeOf(vector: Vector): Buffer {
  const code = Int8Array.from(normalized(vector) ?? vector, (value) =>
    Math.min(LARGEST_VALUE, Math.max(-LARGEST_VALUE, Math.round(value * SCALE))),
  );
  return Buffer.from(code.buffer);
}

/** Of what is not a vector of these dimensions. A vector can have it too, if it has very few dimensions. */
export function codeOfNoVector(dimensions: number): Buffer {
  return Buffer.alloc(dimensions, LARGEST_VALUE);
}

/** Values of a vector of length 1 beyond 0.25 become the largest one, which hardly any are. */
const SCALE = 508;
const LARGEST_VALUE = 127;

/**
 * Rows of `embeddings` whose codes are nearest to that of `query`, after those that have no code yet. None are known
 * where another program has written something else than codes.
 */
export function rowsByCode(db: Database, query: Vector, limit: number): CodedRows {
  const nearest = prepared<unknown[], readonly [row: number, isKnown: 0 | 1]>(
    db,
    `SELECT row, code IS NOT NULL FROM store_codes
     ORDER BY vec_distance_l1(vec_int8(coalesce(code, @code)), vec_int8(@code)) LIMIT @limit`,
  ).raw();
  try {
    const rows = nearest.all({ code: codeOf(query), limit });
    const known = rows.filter(([, isKnown]) => isKnown === 1).length;
    return { rows: rows.map(([row]) => row), known, isAnyMissing: known < rows.length };
  } catch (error) {
    if (!(error instanceof Database.SqliteError && error.code === 'SQLITE_ERROR')) throw error;
    return { rows: [], known: 0, isAnyMissing: true };
  }
}

interface CodedRows {
  readonly rows: readonly number[];
  /** How many of them have a code. */
  readonly known: number;
  readonly isAnyMissing: boolean;
}

/**
 * Makes at most `limit` of the missing codes, in a write transaction; returns whether those were all. Then those of
 * vectors go that a REPLACE of another program has deleted without telling the trigger.
 */
export function makeCodes(db: Database, dimensions: number, limit: number): boolean {
  const rows = db
    .prepare<unknown[], { readonly row: bigint; readonly blob: unknown }>(
      `SELECT k.row, e.embedding AS blob FROM store_codes k LEFT JOIN embeddings e ON e.rowid = k.row
       WHERE k.code IS NULL OR typeof(k.code) <> 'blob' OR length(k.code) <> ? LIMIT ?`,
    )
    .safeIntegers()
    .all(dimensions, limit);
  const update = prepared(db, 'UPDATE store_codes SET code = ? WHERE row = ?');
  for (const { row, blob } of rows) {
    const vector = toVector(blob, dimensions);
    update.run(vector === undefined ? codeOfNoVector(dimensions) : codeOf(vector), row);
  }
  const isDone = rows.length < limit;
  if (isDone) db.exec('DELETE FROM store_codes WHERE row NOT IN (SELECT rowid FROM embeddings)');
  return isDone;
}
