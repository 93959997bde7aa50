import type { Database } from 'better-sqlite3';
import type { ProjectDatabase } from '../database/project-database.js';
import { COMPARED_DIRECTLY_MAX } from './nearest-search.js';
import type { NeighbourIndex } from './neighbour-index.js';

/** Keeps the index of neighbours of one project up to date, 500 rows in each transaction. */
export class NeighbourUpkeep {
  readonly index: NeighbourIndex;
  readonly #database: ProjectDatabase;
  #running: Promise<void> | undefined;

  constructor(database: ProjectDatabase, index: NeighbourIndex) {
    this.#database = database;
    this.index = index;
  }

  /** Takes in what was just stored, inside the same write transaction. Few vectors need no index. */
  afterWrite(db: Database): void {
    if (isIndexed(db)) this.index.catchUp(db, ROWS_AT_ONCE);
    else this.index.discard(db);
  }

  /**
   * Takes in whatever changed. Searches do not wait for it, and need not: it never rejects, and what
   * it leaves is compared directly and tried again after the next search.
   */
  catchUp(): Promise<void> {
    this.#running ??= this.#catchUp()
      .catch(() => undefined)
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #catchUp(): Promise<void> {
    const isBehind = await this.#database.read(
      (db) =>
        isIndexed(db) &&
        (this.index.metric(db) === undefined || this.index.changedRows(db, 1).length > 0),
    );
    let isDone = !isBehind;
    while (!isDone)
      isDone = await this.#database.write((db) => this.index.catchUp(db, ROWS_AT_ONCE));
  }
}

const ROWS_AT_ONCE = 500;

function isIndexed(db: Database): boolean {
  const lastRow = db.prepare<[], number>('SELECT max(rowid) FROM embeddings').pluck().get();
  return (lastRow ?? 0) > COMPARED_DIRECTLY_MAX;
}
