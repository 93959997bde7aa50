import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { STORE_LOCK_TIMEOUT_MS } from '../../../domain/limits.js';
import { sizeOf } from './file-identity.js';
import { isBusy } from './sqlite-errors.js';

/** When to stop waiting for another process. */
interface RetryLimit {
  /** On the clock of `performance.now()`; 15 s from now where it is left out. */
  readonly deadline?: number;
  /** Each ends the wait. */
  readonly signals?: readonly AbortSignal[];
}

/**
 * Tries until no other connection holds the lock, the deadline has come or a signal is aborted.
 * SQLite's own wait would stop the event loop.
 */
export async function retryWhileBusy<T>(attempt: () => T, limit: RetryLimit = {}): Promise<T> {
  const { deadline = lockDeadline(), signals = [] } = limit;
  const isOver = () => performance.now() > deadline || signals.some(({ aborted }) => aborted);
  for (let pause = 1; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || isOver()) throw error;
    }
    await sleep(pause);
  }
}

/** Between two attempts. */
export const LONGEST_PAUSE_MS = 50;

/** On the clock of `performance.now()`. */
export function lockDeadline(timeoutMs: number = STORE_LOCK_TIMEOUT_MS): number {
  return performance.now() + timeoutMs;
}

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

/** Moves what nobody needs from the log; the next write begins it again if that is all. If this fails, the write before it has not failed. */
function canBeEmptied(db: Database): boolean {
  try {
    const [{ log, checkpointed }] = db.pragma('wal_checkpoint(PASSIVE)') as [Checkpoint];
    return checkpointed >= log;
  } catch {
    return false;
  }
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
