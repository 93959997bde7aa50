import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { codeOf } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type { Leases } from '../../../ports/driven/leases.js';
import type { ProjectDatabase } from '../database/project-database.js';

/** Names a holder of leases: another one for every set of stores, also in one process. */
export function newLeaseHolder(): string {
  return `${hostname()} ${process.pid} ${randomUUID()}`;
}

/** Leases as rows. One that a process of this machine held when it died is free at once. */
export class SqliteLeases implements Leases {
  readonly #database: ProjectDatabase;
  readonly #clock: Clock;
  readonly #holder: string;

  /** @param holder as `newLeaseHolder` makes it */
  constructor(database: ProjectDatabase, clock: Clock, holder: string) {
    this.#database = database;
    this.#clock = clock;
    this.#holder = holder;
  }

  acquire(name: string, durationMs: number): Promise<boolean> {
    return this.#database.write((db) => {
      const now = this.#clock.now();
      const values = {
        name,
        holder: this.#holder,
        now: now.toISOString(),
        until: new Date(now.getTime() + durationMs).toISOString(),
      };
      const other = db
        .prepare(
          `SELECT holder FROM store_leases
           WHERE name = @name AND holder <> @holder AND expires_at > @now AND expires_at <= @until`,
        )
        .pluck()
        .get(values);
      if (typeof other === 'string' && !isDead(other)) return false;
      db.prepare(
        `INSERT INTO store_leases (name, holder, expires_at) VALUES (@name, @holder, @until)
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at`,
      ).run(values);
      return true;
    });
  }

  async release(name: string): Promise<void> {
    await this.#database.write((db) =>
      db.prepare('DELETE FROM store_leases WHERE name = ? AND holder = ?').run(name, this.#holder),
    );
  }
}

/** Whether a holder is a process of this machine that has ended. */
function isDead(holder: string): boolean {
  const [host, pid] = holder.split(' ');
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}
