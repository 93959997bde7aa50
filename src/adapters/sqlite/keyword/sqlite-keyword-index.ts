import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { type Expression, hasTermsInRuns } from '../../../domain/query/expression.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { KeywordIndex } from '../../../ports/driven/keyword-index.js';
import { repairIndexes } from '../database/page-check.js';
import { prepared } from '../database/prepared.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { setState, stateOf } from '../database/store-state.js';
import {
  areDerivedObjectsOutdated,
  fillIndexes,
  repairDerivedObjects,
} from '../schema/derived-objects.js';
import { INDEXING_TRIGGERS, VIRTUAL_TABLES } from '../schema/schema.js';
import { statementsOf } from '../schema/schema-reading.js';
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

/**
 * Builds both full-text indexes and the types by row again; with `outdated` only if an index, or the chunks,
 * changed since that was last done. Must run in a write transaction.
 */
function rebuildIndexes(db: Database, when: 'always' | 'outdated'): void {
  if (areDerivedObjectsOutdated(db)) {
    repairDerivedObjects(db);
  } else {
    if (when === 'always') repairIndexes(db);
    else if (stateOf(db, REBUILT) === fingerprint(db)) return;
    fillIndexes(db);
  }
  catchUpCjkIndex(db);
  setState(db, REBUILT, fingerprint(db));
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

/** What `fingerprint` was after the last rebuild. */
const REBUILT = 'indexes_rebuilt';

/**
 * Differs if any byte of an index does, or the schema, which a VACUUM changes as well. Takes a fraction of the time
 * of a rebuild. The chunks cannot change without that, since triggers write each change to the index.
 */
function fingerprint(db: Database): string {
  const hash = createHash('sha256').update(String(db.pragma('schema_version', { simple: true })));
  const names = [...statementsOf(db).keys()].filter((name) => SHADOW_TABLES.test(name));
  for (const name of names.toSorted()) {
    const rows = prepared<[], readonly unknown[]>(db, `SELECT * FROM ${name}`).raw();
    for (const row of rows.iterate()) {
      for (const value of row) hash.update(Buffer.isBuffer(value) ? value : `${value};`);
    }
  }
  return hash.digest('hex');
}

/** The tables in which FTS5 keeps an index. */
const SHADOW_TABLES = new RegExp(
  `^(${Object.keys(VIRTUAL_TABLES).join('|')})_(config|data|docsize|idx)$`,
);
