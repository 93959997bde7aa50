import { setTimeout } from 'node:timers/promises';
import { type Expression, hasTermsInRuns } from '../../../domain/query/expression.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { KeywordIndex } from '../../../ports/driven/keyword-index.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { areDerivedObjectsOutdated } from '../schema/derived-objects.js';
import { catchUpCjkIndex, isCjkIndexBehind } from './cjk-index.js';
import { rebuildIndexes, suspendIndexes } from './index-rebuild.js';
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

  async rebuild(when: 'always' | 'outdated' = 'always'): Promise<void> {
    try {
      await this.#database.write((db) => rebuildIndexes(db, when));
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
