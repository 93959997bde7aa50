import type { Database } from 'better-sqlite3';
import { toVector } from '../vectors/vector-blob.js';

/** Adds `is_vector(blob, dimensions)` to a connection: whether a blob is a vector that may be compared. */
export function registerFunctions(db: Database): void {
  db.function(
    'is_vector',
    { deterministic: true, directOnly: true },
    (blob: unknown, dimensions: unknown) =>
      toVector(blob, Number(dimensions)) === undefined ? 0 : 1,
  );
}
