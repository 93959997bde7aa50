import { randomUUID } from 'node:crypto';
import type { Leases } from '../../../ports/driven/leases.js';
import type { ProjectContext } from '../database/project-database.js';

/**
 * Leases as rows, by the clock of the server, so that instances on several machines agree on them. The
 * lease of a process that died is free when it has expired.
 */
export class PostgresLeases implements Leases {
  readonly #project: ProjectContext;
  /** The present time as an SQL expression. */
  readonly #now: () => string;
  readonly #holder = randomUUID();

  constructor(project: ProjectContext, now: () => string = () => 'clock_timestamp()') {
    this.#project = project;
    this.#now = now;
  }

  async acquire(name: string, durationMs: number): Promise<boolean> {
    const { database, schema } = this.#project;
    const rows = await database.write(
      `INSERT INTO ${schema}.leases AS l (name, holder, expires_at)
         SELECT $1, $2, n.now + $3::float8 * interval '1 millisecond' FROM (SELECT ${this.#now()} AS now) n
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
         WHERE l.holder = $2 OR l.expires_at <= ${this.#now()} OR l.expires_at > excluded.expires_at
         RETURNING name`,
      [name, this.#holder, durationMs],
    );
    return rows.length > 0;
  }

  async release(name: string): Promise<void> {
    const { database, schema } = this.#project;
    const sql = `DELETE FROM ${schema}.leases WHERE name = $1 AND holder = $2`;
    await database.write(sql, [name, this.#holder]);
  }
}
