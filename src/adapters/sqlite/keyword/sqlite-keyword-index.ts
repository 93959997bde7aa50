import { setTimeout } from 'node:timers/promises';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { KeywordIndex, KeywordQuery } from '../../../ports/keyword-index.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { findNamedChunks, findScoredChunks } from './keyword-search.js';
import { areSideWordsBehind, catchUpSideWords } from './side-words.js';

/** Searches two FTS5 tables: one of the texts as they are stored, one of the words that this one does not have. */
export class SqliteKeywordIndex implements KeywordIndex {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async search(query: KeywordQuery): Promise<readonly ScoredChunk[]> {
    await this.#catchUpSideWords();
    const find = query.names === 'counted' ? findNamedChunks : findScoredChunks;
    return this.#database.read((db) => find(db, query));
  }

  /** If the index cannot be updated (locked, read-only, full disk), searches use it as it is. */
  async #catchUpSideWords(): Promise<void> {
    if (!(await this.#database.read(areSideWordsBehind))) return;
    const caughtUp = this.#database.write(catchUpSideWords).catch(() => undefined);
    await Promise.race([caughtUp, setTimeout(LONGEST_WAIT_MS, undefined, { ref: false })]);
  }
}

/** No search waits longer for another process. */
const LONGEST_WAIT_MS = 50;
