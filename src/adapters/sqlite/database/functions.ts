import type { Database } from 'better-sqlite3';
import { toVector } from './vector-blob.js';

/** Teaches a connection `is_vector(blob)`: whether a blob is a vector of these dimensions that may be compared. */
export function registerFunctions(db: Database, dimensions: number): void {
  db.function('is_vector', { deterministic: true, directOnly: true }, (blob: unknown) =>
    toVector(blob, dimensions) === undefined ? 0 : 1,
  );
}
