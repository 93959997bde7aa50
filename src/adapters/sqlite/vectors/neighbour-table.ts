import type { Database } from 'better-sqlite3';
import { normalized, type Vector } from '../../../domain/ranking/vector.js';
import { neighboursTable } from '../schema/schema.js';
import { NEIGHBOURS_STATEMENT, SHADOW_TABLES } from '../schema/virtual-tables.js';
import type { VectorExtension } from './vector-extension.js';

/** A virtual table of sqlite-vec, which any program may have damaged or replaced. */
export class NeighbourTable {
  readonly #extension: VectorExtension;
  readonly #dimensions: number;
  readonly #expected = new Map<CodeMetric, Statements>();

  constructor(extension: VectorExtension, dimensions: number) {
    this.#extension = extension;
    this.#dimensions = dimensions;
  }

  /**
   * Whether the table and those that sqlite-vec keeps its data in are declared as sqlite-vec declares
   * them. Where one is missing, sqlite-vec ends the process on a change of the table, so ask first.
   */
  isSound(db: Database, metric: CodeMetric): boolean {
    const found = statementsIn(db);
    return [...this.#whatIsExpected(metric)].every(([name, sql]) => found.get(name) === sql);
  }

  /**
   * How many vectors of a model have no code, and codes no vector, apart from the rows in
   * `store_vector_changes`; only for a table that is sound.
   */
  countMismatches(db: Database, model: string): number {
    return db
      .prepare<[string], number>(
        `WITH vectors AS (SELECT rowid FROM embeddings WHERE model = ? AND is_vector(embedding)),
           codes AS (SELECT rowid FROM ${NEIGHBOURS}_rowids)
         SELECT count(*) FROM (
           SELECT * FROM (SELECT * FROM vectors EXCEPT SELECT * FROM codes)
           UNION ALL SELECT * FROM (SELECT * FROM codes EXCEPT SELECT * FROM vectors))
         WHERE rowid NOT IN (SELECT row FROM store_vector_changes)`,
      )
      .pluck()
      .get(model) as number;
  }

  /**
   * Puts an empty table in the place of the former one; inside a write transaction. Returns false, and
   * changes nothing, where something else than an index of neighbours has its name.
   */
  replace(db: Database, metric: CodeMetric): boolean {
    const former = statementsIn(db).get(NEIGHBOURS);
    if (former !== undefined && !NEIGHBOURS_STATEMENT.test(former)) return false;
    db.unsafeMode(true);
    try {
      if (former === undefined) dropDataTables(db);
      else this.#drop(db);
      db.exec(this.#declaration(metric));
    } finally {
      db.unsafeMode(false);
    }
    return true;
  }

  /** sqlite-vec drops only a table whose data tables are all there; their declarations do not depend on the metric. */
  #drop(db: Database): void {
    const found = statementsIn(db);
    for (const [name, sql] of this.#whatIsExpected(L2)) if (!found.has(name)) db.exec(sql);
    db.exec(`DROP TABLE ${NEIGHBOURS}`);
  }

  /** What the declaration makes in an empty database. */
  #whatIsExpected(metric: CodeMetric): Statements {
    const expected = this.#expected.get(metric) ?? this.#declared(metric);
    this.#expected.set(metric, expected);
    return expected;
  }

  #declared(metric: CodeMetric): Statements {
    const db = this.#extension.emptyDatabase();
    try {
      db.exec(this.#declaration(metric));
      return statementsIn(db);
    } finally {
      db.close();
    }
  }

  #declaration({ name, codesPerRow }: CodeMetric): string {
    return neighboursTable(this.#dimensions, { metric: name, codesPerRow });
  }
}

export const NEIGHBOURS = 'store_neighbours';

/** CREATE statements by the names of tables. */
type Statements = ReadonlyMap<string, string>;

const DATA_TABLES = [...SHADOW_TABLES.keys()].filter((name) => name.startsWith(`${NEIGHBOURS}_`));

function statementsIn(db: Database): Statements {
  const rows = db
    .prepare<[string], { readonly name: string; readonly sql: string }>(
      `SELECT lower(name) AS name, sql FROM sqlite_master
       WHERE type = 'table' AND lower(name) IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify([NEIGHBOURS, ...DATA_TABLES]));
  return new Map(rows.map(({ name, sql }) => [name, sql]));
}

function dropDataTables(db: Database): void {
  for (const name of DATA_TABLES) db.exec(`DROP TABLE IF EXISTS ${name}`);
}

/** A distance between codes, and what it takes to find neighbours by it. */
export interface CodeMetric {
  readonly name: 'l1' | 'l2';
  /** Codes per row of the data tables: with fewer, vec0 is quicker to pick out many. */
  readonly codesPerRow: number;
  /** Codes looked at for each neighbour asked for. */
  readonly surplus: number;
}

/**
 * L2 distances follow those of the vectors closely. sqlite-vec computes L1 distances in two thirds of the
 * time, but they follow less closely, so that more vectors have to be compared exactly
 * (docs/decisions/0015-sqlite-vec.md).
 */
export const L2: CodeMetric = { name: 'l2', codesPerRow: 1024, surplus: 1.5 };
export const L1: CodeMetric = { name: 'l1', codesPerRow: 32, surplus: 16 };

export const CODE_METRICS = [L2, L1] as const;

/** From so many vectors on, comparing more of them exactly takes less time than L1 saves. */
export const L1_FROM = 20_000;

/** Codes per 1; values of a vector of length 1 beyond 0.25 become the largest code, which hardly any are. */
export const CODE_SCALE = 508;

const LARGEST_CODE = 127;

/** The direction of a vector in one signed byte per dimension; undefined where it has no direction. */
export function quantized(vector: Vector): Buffer | undefined {
  const unit = normalized(vector);
  if (unit === undefined) return undefined;
  const codes = new Int8Array(unit.length);
  for (let i = 0; i < unit.length; i += 1) {
    const code = Math.round((unit[i] as number) * CODE_SCALE);
    codes[i] = Math.min(LARGEST_CODE, Math.max(-LARGEST_CODE, code));
  }
  return Buffer.from(codes.buffer);
}
