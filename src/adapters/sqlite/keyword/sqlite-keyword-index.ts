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
  remakeSearchObjects,
  repairDerivedObjects,
} from '../schema/derived-objects.js';
import { FILL_TYPES, INDEXING_TRIGGERS } from '../schema/schema.js';
import { catchUpCjkIndex, fillCjkIndex, hasCjk, isCjkIndexBehind } from './cjk-index.js';
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
      else await this.#database.write(remakeIndexes);
    } catch (error) {
      if (await this.#isSuspended()) this.#database.markSuspect();
      throw error;
    }
    // So that the file has what was ingested before. What cannot be moved now stays in the log.
    await this.#database.checkpoint().catch(() => undefined);
  }

  /** What a rebuild does to an index that is right (docs/decisions/0043-sound-index.md). */
  async #refresh(): Promise<void> {
    const isCjkToFill = await this.#database.read(hasCjk);
    await this.#database.write((db) => {
      db.exec(FILL_TYPES);
      if (isCjkToFill) fillCjkIndex(db);
    });
    await this.#merge().catch(() => undefined); // what is in several parts is found as well
  }

  async #merge(): Promise<void> {
    const steps = await this.#database.read(mergingSteps);
    for (let step = 0; step < steps; step += 1) {
      const command = step === 0 ? BEGIN_MERGING : GO_ON_MERGING;
      if (!(await this.#database.write((db) => merges(db, command)))) return;
      await setTimeout(PAUSE_MS);
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

/** How many steps merge all parts of the index, and some more for parts that others add meanwhile. */
function mergingSteps(db: Database): number {
  const pages = prepared<[], number>(db, 'SELECT count(*) FROM chunks_fts_data').pluck().get() ?? 0;
  return Math.ceil(pages / PAGES_OF_STEP) + 10;
}

/** Takes some 25 ms. After it others can write for as long. */
const PAGES_OF_STEP = 500;
const PAUSE_MS = 25;

/** A negative number begins to merge all parts into one, a positive one goes on (sqlite.org/fts5.html, "The 'merge' Command"). */
const BEGIN_MERGING = mergeOf(-PAGES_OF_STEP);
const GO_ON_MERGING = mergeOf(PAGES_OF_STEP);

function mergeOf(pages: number): string {
  return `INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('merge', ${pages})`;
}

/** Returns whether anything was merged; the command itself counts as one change. */
function merges(db: Database, command: string): boolean {
  const changes = prepared<[], number>(db, 'SELECT total_changes()').pluck();
  const before = changes.get() ?? 0;
  prepared(db, command).run();
  return (changes.get() ?? 0) - before > 1;
}

/** Makes both full-text indexes and the types by row again. Must run in a write transaction. */
function remakeIndexes(db: Database): void {
  if (areDerivedObjectsOutdated(db)) repairDerivedObjects(db);
  else remakeSearchObjects(db);
  catchUpCjkIndex(db);
}

/**
 * Drops the triggers that index chunks if there are no chunks yet; `remakeIndexes` and the next opening of the database
 * make them again, and what they keep up to date. Returns whether it did.
 */
function suspendIndexes(db: Database): boolean {
  if (db.prepare('SELECT 1 FROM chunks LIMIT 1').get() !== undefined) return false;
  for (const name of Object.keys(INDEXING_TRIGGERS)) db.exec(`DROP TRIGGER IF EXISTS ${name}`);
  return true;
}
