import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { systemErrorCode } from '../../../domain/errors.js';
import { LONGEST_LEASE_MS } from '../../../domain/limits.js';
import type { ImportBatch, ImportCounts } from '../../../ports/chunk-import.js';
import type { Clock } from '../../../ports/clock.js';
import type { MaintenanceTask, StoreFinding, StoreUpkeep } from '../../../ports/project-stores.js';
import { type Aside, listAsides } from '../adoption/asides.js';
import { parseStrings } from '../chunks/chunk-rows.js';
import { addBatch, type ImportTarget } from '../chunks/import-rows.js';
import type { Database } from '../database/driver.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { clearState, LEFT_OUT, NEEDS_REINDEXING, readState } from '../database/store-state.js';

interface SqliteUpkeepOptions extends ImportTarget {
  readonly clock: Clock;
  /** The path of the database. */
  readonly location: string;
  /** The name under which leases are taken, made by `newLeaseHolder`. */
  readonly leaseHolder: string;
}

/** Makes the name of a lease holder. Each set of stores gets a new one, even within one process. */
export function newLeaseHolder(): string {
  return `${hostname()} ${process.pid} ${randomUUID()}`;
}

/**
 * Leases, imports and maintenance of one project. Looks for damage, and for a full-text index that does not match the
 * chunks.
 */
export class SqliteUpkeep implements StoreUpkeep {
  readonly #database: SqliteDatabase;
  readonly #options: SqliteUpkeepOptions;

  constructor(database: SqliteDatabase, options: SqliteUpkeepOptions) {
    this.#database = database;
    this.#options = options;
  }

  acquire(name: string, durationMs: number): Promise<boolean> {
    const { clock, leaseHolder } = this.#options;
    return this.#database.write((db) => {
      const holder = this.#leaseHolder(db, name);
      if (holder !== undefined && holder !== leaseHolder) return false;
      const until = new Date(clock.now().getTime() + durationMs);
      db.prepare(
        `INSERT INTO store_leases (name, holder, expires_at) VALUES (?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at`,
      ).run(name, leaseHolder, until.toISOString());
      return true;
    });
  }

  release(name: string): Promise<void> {
    return this.#database.write((db) => {
      db.prepare('DELETE FROM store_leases WHERE name = ? AND holder = ?').run(
        name,
        this.#options.leaseHolder,
      );
    });
  }

  isHeld(name: string): Promise<boolean> {
    return this.#database.read((db) => this.#leaseHolder(db, name) !== undefined);
  }

  import(batch: Pick<ImportBatch, 'chunks' | 'sources'>): Promise<ImportCounts> {
    return this.#database.write((db) => addBatch(db, batch, this.#options));
  }

  async maintain(task: MaintenanceTask): Promise<readonly StoreFinding[]> {
    if (task === 'rebuild') return this.#rebuild();
    const found = await this.#examine();
    if (task === 'examine') return found;
    const codes = new Set(found.map(({ code }) => code));
    if (codes.has('damaged')) this.#database.reportDamage();
    else if (codes.has('index_outdated')) await this.#database.runLong('rebuild');
    return found.map((finding) =>
      ['damaged', 'index_outdated'].includes(finding.code)
        ? { ...finding, repaired: true }
        : finding,
    );
  }

  /**
   * The holder of a lease; undefined if it is free. A lease is also free if its holder has died, or if it lasts longer
   * than any real one.
   */
  #leaseHolder(db: Database, name: string): string | undefined {
    const lease = db
      .prepare<[string], LeaseRow>('SELECT holder, expires_at FROM store_leases WHERE name = ?')
      .get(name);
    if (lease === undefined || isDead(lease.holder)) return undefined;
    const leftMs = Date.parse(lease.expires_at) - this.#options.clock.now().getTime();
    return leftMs > 0 && leftMs <= LONGEST_LEASE_MS ? lease.holder : undefined;
  }

  async #rebuild(): Promise<readonly StoreFinding[]> {
    await this.#database.runLong('rebuild');
    await this.#database.write((db) => clearState(db, NEEDS_REINDEXING));
    return [];
  }

  async #examine(): Promise<readonly StoreFinding[]> {
    const { damage, isIndexOutdated } = await this.#database.runLong('examine');
    const leftOut = await this.#database.read((db) => readState(db, LEFT_OUT));
    return [
      ...damage.slice(0, 1).map(damageFinding),
      ...(isIndexOutdated ? [INDEX_OUTDATED] : []),
      ...parseStrings(leftOut ?? null).map(leftOutFinding),
      ...listAsides(this.#options.location).map(asideFinding),
    ];
  }
}

interface LeaseRow {
  readonly holder: string;
  readonly expires_at: string;
}

/** Whether a holder was a process of this machine that has ended. */
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

function damageFinding(line: string): StoreFinding {
  return {
    code: 'damaged',
    sentence: `The database file is damaged (SQLite says "${line}"); a repair sets it aside and indexes the sources again.`,
  };
}

const INDEX_OUTDATED: StoreFinding = {
  code: 'index_outdated',
  sentence:
    'The full-text index does not match the chunks, so searches miss or invent results; a repair rebuilds it.',
};

function asideFinding({ name, bytes }: Aside): StoreFinding {
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.ceil(bytes / 1e6)} MB`;
  return {
    code: 'set_aside',
    sentence: `A previous database is kept as ${name} (${size}); delete it once you no longer need it.`,
  };
}

function leftOutFinding(what: string): StoreFinding {
  return {
    code: 'left_out',
    sentence: `When a previous database was converted, this was left out: ${what}.`,
  };
}
