import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';

/** How long another program is kept from the write lock at most while some work is under way, in milliseconds. */
export async function longestWait(path: string, work: Promise<unknown>): Promise<number> {
  const db = new Database(path, { timeout: 0 });
  let [longest, refusedSince, isDone] = [0, 0, false];
  work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const now = performance.now();
    try {
      db.exec('BEGIN IMMEDIATE; COMMIT');
      if (refusedSince > 0) longest = Math.max(longest, now - refusedSince);
      refusedSince = 0;
    } catch {
      if (refusedSince === 0) refusedSince = now;
    }
    await pause(5);
  }
  db.close();
  return Math.max(longest, refusedSince > 0 ? performance.now() - refusedSince : 0);
}
