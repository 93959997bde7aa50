import type { StoreFinding, StoreMaintenance } from '../../../ports/project-stores.js';
import { parseStrings } from '../chunks/chunk-rows.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { clearState, LEFT_OUT, NEEDS_REINDEXING, stateOf } from '../database/store-state.js';

/** Looks for damage, and for an index that does not match the chunks. */
export class SqliteMaintenance implements StoreMaintenance {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async examine(): Promise<readonly StoreFinding[]> {
    const { damage, isIndexOutdated } = await this.#database.runLong('examine');
    const leftOut = await this.#database.read((db) => stateOf(db, LEFT_OUT));
    return [
      ...damage.slice(0, 1).map(damaged),
      ...(isIndexOutdated ? [INDEX_OUTDATED] : []),
      ...parseStrings(leftOut ?? null).map(leftOutFinding),
    ];
  }

  async repair(): Promise<readonly StoreFinding[]> {
    const found = await this.examine();
    const codes = new Set(found.map(({ code }) => code));
    if (codes.has('damaged')) this.#database.reportDamage();
    else if (codes.has('index_outdated')) await this.#database.runLong('rebuild');
    return found.map((finding) =>
      finding.code === 'left_out' ? finding : { ...finding, repaired: true },
    );
  }

  needsReindexing(): Promise<boolean> {
    return this.#database.read((db) => stateOf(db, NEEDS_REINDEXING) !== undefined);
  }

  reindexed(): Promise<void> {
    return this.#database.write((db) => clearState(db, NEEDS_REINDEXING));
  }
}

function damaged(line: string): StoreFinding {
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

function leftOutFinding(what: string): StoreFinding {
  return {
    code: 'left_out',
    sentence: `When a former database was adopted, this was left out: ${what}.`,
  };
}
