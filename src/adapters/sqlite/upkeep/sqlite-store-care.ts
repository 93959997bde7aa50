import type { Database } from 'better-sqlite3';
import type { StoreCare, StoreProblem } from '../../../ports/driven/store-care.js';
import { assertReadable, checkPages, repairIndexes } from '../database/page-check.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { catchUpCjkIndex } from '../keyword/cjk-index.js';
import { remakeDerivedObjects } from '../schema/derived-objects.js';
import { isFullTextOutOfStep, ROW_CHECKS, type RowCheck } from './checks.js';

/** Looks for damage and for derived rows that do not match. */
export class SqliteStoreCare implements StoreCare {
  readonly #database: ProjectDatabase;
  readonly #model: string;
  /** For each connection, what others had written when the indexes were last known to be right. */
  readonly #soundAt = new WeakMap<Database, number>();

  /** @param model the embedding model whose vectors count */
  constructor(database: ProjectDatabase, model: string) {
    this.#database = database;
    this.#model = model;
  }

  /** Mostly in a write transaction, because only a writer may ask FTS5 to compare its index with the rows. */
  async examine(): Promise<readonly StoreProblem[]> {
    const { damage, indexes } = await this.#database.read((db) =>
      checkPages(db, 'integrity_check'),
    );
    if (damage.length > 0) return [damaged(damage[0] ?? '')];
    const outOfStep = await this.#database.write((db) => this.#outOfStep(db));
    return [...(indexes.length > 0 ? [INDEXES] : []), ...outOfStep];
  }

  async repair(): Promise<readonly StoreProblem[]> {
    const problems = await this.#database.write((db) => {
      const { indexes } = repairIndexes(db);
      const found = [...(indexes.length > 0 ? [INDEXES] : []), ...this.#outOfStep(db)];
      if (found.some(({ state }) => state === 'mendable')) this.#repairDerived(db);
      return found;
    });
    return problems.map(mended);
  }

  /** Reads every page, but not again while nobody else writes: what this connection writes keeps indexes in step. */
  async repairIndexes(): Promise<void> {
    await this.#database.write((db) => {
      const version = dataVersion(db);
      if (version === this.#soundAt.get(db)) return;
      const { fullText } = repairIndexes(db);
      if (fullText.length > 0) remakeFullText(db);
      this.#soundAt.set(db, version);
    });
  }

  #outOfStep(db: Database): readonly StoreProblem[] {
    const rows = ROW_CHECKS.flatMap((check) => found(db, check, this.#model));
    return [...(isFullTextOutOfStep(db) ? [FULL_TEXT] : []), ...rows];
  }

  #repairDerived(db: Database): void {
    for (const { repair } of ROW_CHECKS) {
      if (repair !== undefined) db.prepare(repair).run({ model: this.#model });
    }
    remakeFullText(db);
    assertReadable(checkPages(db, 'integrity_check'));
  }
}

/** Changes with every commit of another connection (sqlite.org/pragma.html, "data_version"). */
function dataVersion(db: Database): number {
  return Number(db.pragma('data_version', { simple: true }));
}

function remakeFullText(db: Database): void {
  remakeDerivedObjects(db);
  catchUpCjkIndex(db);
}

const FULL_TEXT: StoreProblem = {
  problem: 'The full-text index does not match the chunks, so searches miss or invent results.',
  advice: 'It can be made again from the chunks.',
  state: 'mendable',
};

const INDEXES: StoreProblem = {
  problem: 'An index of a table does not match its rows.',
  advice: 'It can be made again from the rows.',
  state: 'mendable',
};

function damaged(line: string): StoreProblem {
  return {
    problem: `The database file is damaged: SQLite says "${line}".`,
    advice:
      'A repair sets it aside and reads the sources again; what an export holds can be imported afterwards.',
    state: 'damaged',
  };
}

function found(db: Database, check: RowCheck, model: string): readonly StoreProblem[] {
  const count = Number(db.prepare(check.count).pluck().get({ model }));
  if (count === 0) return [];
  const state = check.repair === undefined ? 'manual' : 'mendable';
  return [{ problem: check.problem(count), advice: check.advice, state }];
}

function mended(problem: StoreProblem): StoreProblem {
  return problem.state === 'mendable' ? { ...problem, state: 'mended' } : problem;
}
