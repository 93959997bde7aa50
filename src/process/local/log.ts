import { copyFileSync, openSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** Path of the log of the local service. */
export function logFile(folder: string): string {
  return join(folder, 'service.log');
}

/** Opens the log for appending. */
export function openLog(folder: string): number {
  return openSync(logFile(folder), 'a', 0o600);
}

/** Copies a large log to a second file, then empties it. It is not renamed, because other processes have it open. */
export function rotateLog(folder: string): void {
  const file = logFile(folder);
  try {
    if (statSync(file).size <= LOG_MAX_BYTES) return;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  } catch {
    // The disk is full, or the log was removed.
  }
}

const LOG_MAX_BYTES = 5 * 1024 * 1024;
