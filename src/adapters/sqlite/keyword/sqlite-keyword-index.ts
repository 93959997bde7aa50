import { setTimeout } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { type Expression, hasTermsInRuns } from '../../../domain/query/expression.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { KeywordIndex } from '../../../ports/driven/keyword-index.js';
import { prepared } from '../database/prepared.js';
import type { ProjectDatabase } from '../database/project-database.js';
import {
  areDerivedObjectsOutdated,
  fillIndexes,
  repairDerivedObjects,
} from '../schema/derived-objects.js';
import { FILL_TYPES, INDEXING_TRIGGERS, NOTE_CJK } from '../schema/schema.js';
import { catchUpCjkIndex, catchUpSome, isCjkIndexBehind } from './cjk-index.js';
import { isFullTextInStep } from './full-text-check.js';
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
      if (await this.#database.read(isSound)) await this.#refresh();
      else await this.#database.write(rebuildIndexes);
    } catch (error) {
      if (await this.#isSuspended()) this.#database.markSuspect();
      throw error;
    }
    // So that the file has what was ingested before. What cannot be moved now stays in the log.
    await this.#database.checkpoint().catch(() => undefined);
  }

  /** In short transactions, after each of which others have as much time to write (docs/decisions/0043-sound-index.md). */
  async #refresh(): Promise<void> {
    await this.#database.write(noteAll);
    for (const step of [catchUpSome, mergeSome]) {
      let begun = performance.now();
      while (await this.#database.write(step)) {
        await setTimeout(performance.now() - begun);
        begun = performance.now();
      }
    }
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

function isSound(db: Database): boolean {
  return !areDerivedObjectsOutdated(db) && isFullTextInStep(db);
}

function noteAll(db: Database): void {
  db.exec(FILL_TYPES);
  db.exec(NOTE_CJK);
}

/** Merges some of the parts of the index; returns whether there may be more (sqlite.org/fts5.html, "The 'merge' Command"). */
function mergeSome(db: Database): boolean {
  const changes = prepared<[], number>(db, 'SELECT total_changes()').pluck();
  const before = changes.get() ?? 0;
  prepared(db, MERGE_SOME).run();
  return (changes.get() ?? 0) - before > 1;
}

/** 500 pages, which takes some 25 ms. */
const MERGE_SOME = "INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('merge', -500)";

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
