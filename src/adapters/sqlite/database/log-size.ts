import type { Database } from 'better-sqlite3';
import { sizeOf } from './file-identity.js';

/** Has SQLite cut the log of a connection when it is emptied, which otherwise keeps its greatest length. */
export function limitLog(db: Database, maxBytes = STORE_LOG_MAX_BYTES): void {
  db.pragma(`journal_size_limit = ${maxBytes}`);
}

/**
 * How long to wait after a write, in milliseconds: 0 unless the log is too long and cannot be emptied, because
 * somebody reads an earlier state of the database. The longer the log, the longer the wait.
 */
export function pauseForLog(db: Database, maxBytes = STORE_LOG_MAX_BYTES): number {
  const excess = sizeOf(`${db.name}-wal`) - maxBytes;
  if (excess <= 0 || canBeEmptied(db)) return 0;
  return STORE_LOG_PAUSE_MS * Math.min(1, excess / maxBytes);
}

/** Moves what nobody needs from the log; the next write begins it again if that is all. */
function canBeEmptied(db: Database): boolean {
  const [{ log, checkpointed }] = db.pragma('wal_checkpoint(PASSIVE)') as [Checkpoint];
  return checkpointed >= log;
}

/** In pages. */
interface Checkpoint {
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * The write-ahead log is cut to this length when it is emptied; where a long transaction of another program keeps it
 * from being emptied, writes beyond it are slowed down (docs/storage.md, "Size of the log").
 */
const STORE_LOG_MAX_BYTES = 32 * 1024 * 1024;

/** How long a write waits with a log of twice that length. */
const STORE_LOG_PAUSE_MS = 2_000;
