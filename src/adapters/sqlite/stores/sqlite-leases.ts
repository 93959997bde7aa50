import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from 'better-sqlite3';
import { systemErrorCode } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { Leases } from '../../../ports/project-stores.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Names a holder of leases: another one for every set of stores, also in one process. */
export function newLeaseHolder(): string {
  return `${hostname()} ${process.pid} ${randomUUID()}`;
}

/** Leases as rows. One that a process of this machine held when it died is free at once. */
export class SqliteLeases implements Leases {
  readonly #database: SqliteDatabase;
  readonly #clock: Clock;
  readonly #holder: string;

  /** @param holder as `newLeaseHolder` makes it */
  constructor(database: SqliteDatabase, clock: Clock, holder: string) {
    this.#database = database;
    this.#clock = clock;
    this.#holder = holder;
  }

  acquire(name: string, durationMs: number): Promise<boolean> {
    return this.#database.write((db) => {
      const holder = this.#holderOf(db, name, durationMs);
      if (holder !== undefined && holder !== this.#holder) return false;
      const until = new Date(this.#clock.now().getTime() + durationMs).toISOString();
      db.prepare(
        `INSERT INTO store_leases (name, holder, expires_at) VALUES (?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at`,
      ).run(name, this.#holder, until);
      return true;
    });
  }

  isHeld(name: string, durationMs: number): Promise<boolean> {
    return this.#database.read((db) => this.#holderOf(db, name, durationMs) !== undefined);
  }

  async release(name: string): Promise<void> {
    await this.#database.write((db) =>
      db.prepare('DELETE FROM store_leases WHERE name = ? AND holder = ?').run(name, this.#holder),
    );
  }

  /** Undefined while the lease is free. */
  #holderOf(db: Database, name: string, durationMs: number): string | undefined {
    const [lease] = db
      .prepare<[string], LeaseRow>('SELECT holder, expires_at FROM store_leases WHERE name = ?')
      .all(name);
    if (lease === undefined) return undefined;
    // After the row was read, so that a lease that was renewed just before does not seem to last too long.
    const leftMs = Date.parse(lease.expires_at) - this.#clock.now().getTime();
    const isValid = leftMs > 0 && leftMs <= durationMs && !isDead(lease.holder);
    return isValid ? lease.holder : undefined;
  }
}

interface LeaseRow {
  readonly holder: string;
  readonly expires_at: string;
}

/** Whether a holder is a process of this machine that has ended. */
function isDead(holder: string): boolean {
  const [host, pid] = holder.split(' ');
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return systemErrorCode(error) === 'ESRCH';
  }
}
