import { endianness } from 'node:os';
import {
  dot,
  isStorable,
  normalized,
  type Vector,
  withHeader,
} from '../../../domain/ranking/vector.js';
import type { Database } from '../database/driver.js';
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
 * The direction of a vector in one signed byte per dimension, by which sqlite-vec finds the nearest vectors in a fraction of the
 * time that comparing all of them takes (docs/decisions/0041-codes-in-a-plain-table.md).
 */
export function quantized(vector: Vector): Buffer {
  const bytes = Int8Array.from(normalized(vector) ?? vector, (value) =>
    Math.min(LARGEST_VALUE, Math.max(-LARGEST_VALUE, Math.round(value * SCALE))),
  );
  return Buffer.from(bytes.buffer);
}

/** Of what is not a vector of these dimensions. A vector can have it too, if it has very few dimensions. */
export function quantizedNone(dimensions: number): Buffer {
  return Buffer.alloc(dimensions, LARGEST_VALUE);
}

/** Values of a vector of length 1 beyond 0.25 become the largest one, which hardly any are. */
const SCALE = 508;
const LARGEST_VALUE = 127;

/** Rows of `embeddings` whose quantized vectors are nearest to that of `query`, after those that have none yet. */
export function nearestQuantized(db: Database, query: Vector, limit: number): QuantizedRows {
  const rows = prepared<unknown[], readonly [row: number, isKnown: 0 | 1]>(
    db,
    `SELECT row, vector IS NOT NULL FROM quantized_embeddings
     ORDER BY vec_distance_l1(vec_int8(coalesce(vector, @query)), vec_int8(@query)) LIMIT @limit`,
  )
    .raw()
    .all({ query: quantized(query), limit });
  const known = rows.filter(([, isKnown]) => isKnown === 1).length;
  return { rows: rows.map(([row]) => row), known, isAnyMissing: known < rows.length };
}

interface QuantizedRows {
  readonly rows: readonly number[];
  /** How many of them are quantized. */
  readonly known: number;
  readonly isAnyMissing: boolean;
}

/**
 * Quantizes at most `limit` of the vectors that are not yet, in a write transaction; returns whether those were all. Then those of
 * vectors go that a REPLACE of another program has deleted without running the trigger.
 */
export function quantizeMissing(db: Database, dimensions: number, limit: number): boolean {
  const rows = db
    .prepare<unknown[], { readonly row: number; readonly blob: unknown; readonly header: unknown }>(
      `SELECT q.row, e.embedding AS blob, h.vector AS header FROM quantized_embeddings q
       LEFT JOIN embeddings e ON e.rowid = q.row LEFT JOIN chunks c ON c.id = e.chunk_id
       LEFT JOIN store_names h ON h.source_file = c.source_file AND h.model = e.model
       WHERE q.vector IS NULL OR length(q.vector) <> ? LIMIT ?`,
    )
    .all(dimensions, limit);
  const update = prepared(db, 'UPDATE quantized_embeddings SET vector = ? WHERE row = ?');
  for (const { row, blob, header } of rows) {
    const vector = toVector(blob, dimensions);
    const compared = vector && withHeader(vector, toVector(header, dimensions));
    update.run(compared === undefined ? quantizedNone(dimensions) : quantized(compared), row);
  }
  const isDone = rows.length < limit;
  if (isDone) {
    db.exec('DELETE FROM quantized_embeddings WHERE row NOT IN (SELECT rowid FROM embeddings)');
  }
  return isDone;
}
