import { setTimeout } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { type Expression, hasTermsInRuns } from '../../../domain/query/expression.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { KeywordIndex } from '../../../ports/driven/keyword-index.js';
import type { ProjectDatabase } from '../database/project-database.js';
import {
  areDerivedObjectsOutdated,
  fillIndexes,
  repairDerivedObjects,
} from '../schema/derived-objects.js';
import { INDEXING_TRIGGERS } from '../schema/schema.js';
import { catchUpCjkIndex, isCjkIndexBehind } from './cjk-index.js';
import { findScoredChunks, scoreChunks } from './keyword-search.js';

/** Searches two FTS5 tables: one of words, one of bigrams of Chinese, Japanese and Korean. */
export class SqliteKeywordIndex implements KeywordIndex {
  readonly #database: ProjectDatabase;

  constructor(database: ProjectDatabase) {
    this.#database = database;
  }

  async search(
    expression: Expression,
    filter: ChunkFilter,
    limit: number,
  ): Promise<readonly ScoredChunk[]> {
    if (hasTermsInRuns(expression)) await this.#catchUpCjkIndex();
    return this.#database.read((db) => findScoredChunks(db, { expression, filter, limit }));
  }

  score(expression: Expression, chunkIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#database.read((db) => scoreChunks(db, expression, chunkIds));
  }

  async rebuild(): Promise<void> {
    try {
      await this.#database.write(rebuildIndexes);
    } catch (error) {
      if (await this.#isSuspended()) this.#database.markSuspect();
      throw error;
    }
    // So that the file has what was ingested before. What cannot be moved now stays in the log.
    await this.#database.checkpoint().catch(() => undefined);
  }

  /** Without its triggers. Whoever opens the database meanwhile makes them and the index again. */
  suspend(): Promise<boolean> {
    return this.#database.write(suspendIndexes);
  }

  #isSuspended(): Promise<boolean> {
    return this.#database.read(areDerivedObjectsOutdated).catch(() => true);
  }

  /** If the index cannot be updated (locked, read-only, full disk), searches use it as it is. */
  async #catchUpCjkIndex(): Promise<void> {
    if (!(await this.#database.read(isCjkIndexBehind))) return;
    const caughtUp = this.#database.write(catchUpCjkIndex).catch(() => undefined);
    await Promise.race([caughtUp, setTimeout(LONGEST_WAIT_MS, undefined, { ref: false })]);
  }
}

/** No search waits longer for another process. */
const LONGEST_WAIT_MS = 50;

/** Builds both full-text indexes and the types by row again. Must run in a write transaction. */
function rebuildIndexes(db: Database): void {
  if (areDerivedObjectsOutdated(db)) repairDerivedObjects(db);
  else fillIndexes(db);
  catchUpCjkIndex(db);
}

/**
 * Drops the triggers that index chunks if there are no chunks yet; `rebuildIndexes` and the next opening of the database
 * make them again, and what they keep up to date. Returns whether it did.
 */
function suspendIndexes(db: Database): boolean {
  if (db.prepare('SELECT 1 FROM chunks LIMIT 1').get() !== undefined) return false;
  for (const name of Object.keys(INDEXING_TRIGGERS)) db.exec(`DROP TRIGGER IF EXISTS ${name}`);
  return true;
}
