import { randomUUID } from 'node:crypto';
import { LONGEST_LEASE_MS } from '../../../domain/limits.js';
import type { ImportBatch, ImportCounts } from '../../../ports/chunk-import.js';
import type { MaintenanceTask, StoreFinding, StoreUpkeep } from '../../../ports/project-stores.js';
import { type ImportTarget, importBatch } from '../chunks/postgres-chunk-import.js';
import type { ProjectContext } from '../database/postgres-database.js';
import { PROJECTS } from '../database/registry.js';

interface PostgresUpkeepOptions extends ImportTarget {
  /** SQL expression for the current time of leases; by default the server's clock. */
  readonly leaseTime?: (() => string) | undefined;
}

/**
 * Stores leases as rows, timed by the server's clock, so that instances on several machines agree on them. The lease of
 * a process that died is free once it has expired. There is nothing to examine or rebuild: the server looks after its
 * own files, and the words of a chunk are written together with it.
 */
export class PostgresUpkeep implements StoreUpkeep {
  readonly #project: ProjectContext;
  readonly #options: PostgresUpkeepOptions;
  /** Returns an SQL expression for the current time. */
  readonly #now: () => string;
  readonly #holder = randomUUID();

  constructor(project: ProjectContext, options: PostgresUpkeepOptions) {
    this.#project = project;
    this.#options = options;
    this.#now = options.leaseTime ?? (() => 'clock_timestamp()');
  }

  async acquire(name: string, durationMs: number): Promise<boolean> {
    const { database, schema } = this.#project;
    const rows = await database.write(
      `INSERT INTO ${schema}.leases AS l (name, holder, expires_at)
         SELECT $1, $2, n.now + $3::float8 * interval '1 millisecond' FROM (SELECT ${this.#now()} AS now) n
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
         WHERE l.holder = $2 OR NOT ${this.#isValid('l.expires_at')} RETURNING name`,
      [name, this.#holder, durationMs],
    );
    return rows.length > 0;
  }

  async release(name: string): Promise<void> {
    const { database, schema } = this.#project;
    const sql = `DELETE FROM ${schema}.leases WHERE name = $1 AND holder = $2`;
    await database.write(sql, [name, this.#holder]);
  }

  async isHeld(name: string): Promise<boolean> {
    const { database, schema } = this.#project;
    const sql = `SELECT 1 FROM ${schema}.leases WHERE name = $1 AND ${this.#isValid('expires_at')}`;
    return (await database.rows(sql, [name])).length > 0;
  }

  import(batch: Pick<ImportBatch, 'chunks' | 'sources'>): Promise<ImportCounts> {
    return importBatch(this.#project, batch, this.#options);
  }

  #isValid(expiresAt: string): string {
    const now = this.#now();
    return `(${expiresAt} > ${now} AND ${expiresAt} <= ${now} + interval '${LONGEST_LEASE_MS} milliseconds')`;
  }

  async maintain(task: MaintenanceTask): Promise<readonly StoreFinding[]> {
    if (task !== 'rebuild') return [];
    const { database, schema } = this.#project;
    const sql = `UPDATE ${PROJECTS} SET refill_needed = false WHERE schema_name = $1`;
    await database.write(sql, [schema]);
    return [];
  }
}
