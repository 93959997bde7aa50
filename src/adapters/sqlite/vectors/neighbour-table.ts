import type { Database } from 'better-sqlite3';
import type { VectorExtension } from './vector-extension.js';

/** A virtual table of sqlite-vec, which any program may have damaged or replaced. */
export class NeighbourTable {
  readonly #extension: VectorExtension;
  readonly #declaration: string;
  #expected: ReadonlyMap<string, string> | undefined;

  constructor(extension: VectorExtension, dimensions: number) {
    this.#extension = extension;
    this.#declaration = `CREATE VIRTUAL TABLE ${NEIGHBOURS} USING vec0(code int8[${dimensions}] distance_metric=l2)`;
  }

  /**
   * Whether the table and those that sqlite-vec keeps its data in are declared as sqlite-vec declares
   * them. Where one is missing, sqlite-vec ends the process on a change of the table, so ask first.
   */
  isSound(db: Database): boolean {
    this.#expected ??= this.#tablesOf(this.#declaration);
    const found = declaredTables(db);
    return (
      found.size === this.#expected.size &&
      [...this.#expected].every(([name, sql]) => found.get(name) === sql)
    );
  }

  /** Puts an empty table in the place of whatever there is. Inside a write transaction. */
  replace(db: Database): void {
    db.unsafeMode(true);
    try {
      const former = declaredTables(db).get(NEIGHBOURS);
      if (former !== undefined) this.#drop(db, former);
      for (const name of declaredTables(db).keys()) db.exec(`DROP TABLE IF EXISTS "${name}"`);
      db.exec(this.#declaration);
    } finally {
      db.unsafeMode(false);
    }
  }

  /** sqlite-vec drops only a table whose data tables are all there. */
  #drop(db: Database, declaration: string): void {
    const isVec0 = /^CREATE VIRTUAL TABLE \S+ USING vec0\b/i.test(declaration);
    const needed = isVec0 ? this.#tablesOf(declaration) : new Map<string, string>();
    const found = declaredTables(db);
    for (const [name, sql] of needed) if (!found.has(name)) db.exec(sql);
    db.exec(`DROP TABLE ${NEIGHBOURS}`);
  }

  /** The tables that a declaration makes, with their SQL. */
  #tablesOf(declaration: string): ReadonlyMap<string, string> {
    const db = this.#extension.emptyDatabase();
    try {
      db.exec(declaration);
      return declaredTables(db);
    } finally {
      db.close();
    }
  }
}

export const NEIGHBOURS = 'store_neighbours';

function declaredTables(db: Database): ReadonlyMap<string, string> {
  const rows = db
    .prepare<[string], { readonly name: string; readonly sql: string }>(
      `SELECT lower(name) AS name, sql FROM sqlite_master WHERE type = 'table' AND lower(name) GLOB ? || '*'`,
    )
    .all(NEIGHBOURS);
  return new Map(rows.map(({ name, sql }) => [name, sql]));
}
