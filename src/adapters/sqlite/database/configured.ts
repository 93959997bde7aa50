import type { Database } from 'better-sqlite3';
import { registerFunctions } from '../vectors/encodings.js';
import { limitLog } from './waiting.js';

export interface ConnectionSettings {
  /** Values of a vector that counts. */
  readonly dimensions: number;
  /** The write-ahead log is cut to this length when it is emptied; default 32 MB. */
  readonly logMaxBytes?: number;
}

/** Reads the schema, which another process may have locked while it switches to WAL or recovers from one. */
export function configured(
  db: Database,
  { dimensions, logMaxBytes }: ConnectionSettings,
): Database {
  registerFunctions(db, dimensions);
  for (const setting of SETTINGS) db.pragma(setting);
  limitLog(db, logMaxBytes);
  return db;
}

const SETTINGS = [
  'trusted_schema = OFF',
  'cell_size_check = ON',
  'mmap_size = 0',
  'foreign_keys = ON',
  'synchronous = NORMAL',
] as const;
