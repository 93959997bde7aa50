import { type Expression, hasTermsInRuns } from '../../../domain/query/expression.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { KeywordIndex } from '../../../ports/driven/keyword-index.js';
import { mendIndexes } from '../database/page-check.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { catchUpCjkIndex, isCjkIndexBehind, rebuildCjkIndex } from './cjk-index.js';
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
    await this.#database.write(async (db) => {
      mendIndexes(db);
      db.exec("INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild')");
      await rebuildCjkIndex(db);
    });
  }

  /** If the index cannot be updated (read-only database, full disk), searches use it as it is. */
  async #catchUpCjkIndex(): Promise<void> {
    try {
      if (await this.#database.read(isCjkIndexBehind)) await this.#database.write(catchUpCjkIndex);
    } catch {
      // If the database is broken, the search that follows fails and reports the reason.
    }
  }
}
