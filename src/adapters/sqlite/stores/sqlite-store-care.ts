import type { Database } from 'better-sqlite3';
import { EMBEDDED_MAX_CHARACTERS } from '../../../domain/limits.js';
import type { StoreCare, StoreProblem } from '../../../ports/driven/store-care.js';
import {
  assertReadable,
  checkPages,
  type PageVerdict,
  repairIndexes,
} from '../database/page-check.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { catchUpCjkIndex } from '../keyword/cjk-index.js';
import { isFullTextInStep } from '../keyword/full-text-check.js';
import { remakeDerivedObjects } from '../schema/derived-objects.js';

/** Looks for damage and for derived rows that do not match. */
export class SqliteStoreCare implements StoreCare {
  readonly #database: ProjectDatabase;
  /** For each connection, what others had written when the indexes were last known to be right. */
  readonly #soundAt = new WeakMap<Database, number>();

  constructor(database: ProjectDatabase) {
    this.#database = database;
  }

  examine(): Promise<readonly StoreProblem[]> {
    return this.#database.read((db) => {
      const verdict = checkPages(db, 'integrity_check');
      const [damage] = verdict.damage;
      return damage === undefined ? problemsIn(db, verdict) : [damaged(damage)];
    });
  }

  async repair(): Promise<readonly StoreProblem[]> {
    if ((await this.examine()).length === 0) return [];
    return this.#database.write((db) => {
      const found = problemsIn(db, repairIndexes(db));
      if (found.length > 0) repairDerived(db);
      return found.map((problem) => ({ ...problem, state: 'mended' as const }));
    });
  }

  /** Reads every page, but not again while nobody else writes: what this connection writes keeps indexes in step. */
  async repairIndexes(): Promise<void> {
    if (await this.#database.read((db) => this.#areIndexesSound(db))) return;
    await this.#database.write((db) => {
      if (repairIndexes(db).fullText.length > 0) remakeSearch(db);
    });
  }

  #areIndexesSound(db: Database): boolean {
    const version = dataVersion(db);
    if (version === this.#soundAt.get(db)) return true;
    const { damage, indexes, fullText } = checkPages(db, 'integrity_check');
    const isSound = [damage, indexes, fullText].every((lines) => lines.length === 0);
    if (isSound) this.#soundAt.set(db, version);
    return isSound;
  }
}

/** Changes with every commit of another connection (sqlite.org/pragma.html, "data_version"). */
function dataVersion(db: Database): number {
  return Number(db.pragma('data_version', { simple: true }));
}

function problemsIn(db: Database, { indexes, fullText }: PageVerdict): readonly StoreProblem[] {
  const rows = ROW_CHECKS.flatMap(({ wrong, ...check }) => {
    const count = db.prepare(`SELECT count(*) FROM ${wrong}`).pluck().get() as number;
    return count === 0 ? [] : [{ problem: check.problem(count), advice: check.advice }];
  });
  const found = [
    ...(indexes.length > 0 ? [INDEXES] : []),
    ...(fullText.length > 0 || !isFullTextInStep(db) ? [FULL_TEXT] : []),
    ...rows,
  ];
  return found.map((problem) => ({ ...problem, state: 'mendable' }));
}

function repairDerived(db: Database): void {
  for (const { repair } of ROW_CHECKS) db.exec(repair);
  remakeSearch(db);
  assertReadable(checkPages(db, 'integrity_check'));
}

function remakeSearch(db: Database): void {
  remakeDerivedObjects(db);
  catchUpCjkIndex(db);
}

const FULL_TEXT = {
  problem: 'The full-text index does not match the chunks, so searches miss or invent results.',
  advice: 'It can be made again from the chunks.',
};

const INDEXES = {
  problem: 'An index of a table does not match its rows.',
  advice: 'It can be made again from the rows.',
};

function damaged(line: string): StoreProblem {
  return {
    problem: `The database file is damaged: SQLite says "${line}".`,
    advice:
      'A repair sets it aside and reads the sources again; what an export holds can be imported afterwards.',
    state: 'damaged',
  };
}

/** A kind of rows that should not be there. */
interface RowCheck {
  /** A FROM clause of them. */
  readonly wrong: string;
  readonly repair: string;
  readonly problem: (count: number) => string;
  readonly advice: string;
}

const LOST_VECTORS = 'embeddings WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.id = chunk_id)';
const UNREADABLE = `hype_queries IS NOT NULL AND (
  octet_length(hype_queries) > ${EMBEDDED_MAX_CHARACTERS} OR NOT json_valid(hype_queries))`;

/** What the background work makes again by itself is none. */
const ROW_CHECKS: readonly RowCheck[] = [
  {
    wrong: LOST_VECTORS,
    repair: `DELETE FROM ${LOST_VECTORS}`,
    problem: (count) => `Vectors of chunks that no longer exist: ${count}.`,
    advice: 'They can be deleted.',
  },
  {
    wrong: `chunks WHERE ${UNREADABLE}`,
    repair: `UPDATE chunks SET hype_queries = NULL, hype_embeddings = NULL WHERE ${UNREADABLE}`,
    problem: (count) => `Lists of questions that cannot be read: ${count}.`,
    advice: 'They can be deleted; the background work makes them again.',
  },
  {
    wrong: '(SELECT rowid FROM embeddings EXCEPT SELECT row FROM store_codes)',
    repair: 'INSERT OR IGNORE INTO store_codes(row) SELECT rowid FROM embeddings',
    problem: (count) => `Vectors that a search among many does not look at: ${count}.`,
    advice: 'They can be noted; the next search makes their codes.',
  },
];
