import { setTimeout } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { containsUnspaced } from '../../../domain/bigrams.js';
import {
  CHUNKS_BESIDE_NAMES,
  CHUNKS_BY_NAME,
  COUNTED_CHUNKS_MAX,
  MIXED_CASE_CHUNKS_MAX,
  NAME_WEIGHT,
  SCANNED_CHUNKS_MAX,
  SOURCES_BY_NAME,
} from '../../../domain/limits.js';
import { asBigrams, type Expression } from '../../../domain/query/expression.js';
import { toFtsMatch } from '../../../domain/query/fts-match.js';
import { mixedCaseWordsWith } from '../../../domain/query/mixed-case.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { ChunkCounts, KeywordIndex, KeywordQuery } from '../../../ports/keyword-index.js';
import { eventLoop } from '../../../shared/in-batches.js';
import { CHUNK_COLUMNS, chunkCondition, toChunk, toChunkRow } from '../chunks/chunk-rows.js';
import { areSideWordsBehind, catchUpSideWords } from '../chunks/side-words.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { onSnapshot, prepareOnce } from '../database/statements.js';
import { bestRows, EXPECTED_EQUALS } from './best-rows.js';
import { type RankedRow, rankedRows } from './match-list.js';

/** Searches two FTS5 tables: one with the words of the stored texts, and one with the side words that it lacks. */
export class SqliteKeywordIndex implements KeywordIndex {
  readonly #database: SqliteDatabase;
  #catchingUp: Promise<void> | undefined;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async search(query: KeywordQuery): Promise<readonly ScoredChunk[]> {
    if (query.words !== 'stored') await this.#catchUpSideWords();
    return this.#database.read(
      (db) => findChunks(db, query),
      (path) => ({ kind: 'search', path, query }),
    );
  }

  countChunks(words: readonly string[]): Promise<ChunkCounts> {
    return this.#database.read((db) => countChunks(db, words));
  }

  mixedCaseWords(letters: string): Promise<readonly string[]> {
    return this.#database.read((db) => {
      const contents = prepareOnce<[string], string>(db, CONTENTS_WITH).pluck().all(letters);
      return contents.flatMap((content) => mixedCaseWordsWith(letters, content));
    });
  }

  /**
   * Indexes queued side words before a search. If that fails (locked, read-only, full disk), the search uses the index
   * as it is.
   */
  async #catchUpSideWords(): Promise<void> {
    if (!(await this.#database.read(areSideWordsBehind))) return;
    this.#catchingUp ??= this.#catchUp()
      .catch(() => undefined)
      .finally(() => {
        this.#catchingUp = undefined;
      });
    await Promise.race([this.#catchingUp, setTimeout(LONGEST_WAIT_MS, undefined, { ref: false })]);
  }

  async #catchUp(): Promise<void> {
    while ((await this.#database.write(catchUpSideWords)) === 'more') await eventLoop();
  }
}

/** The longest that a search waits for side words to be indexed. */
const LONGEST_WAIT_MS = 50;

/** Finds the chunks that match. For a very large database, another process runs this. */
export function findChunks(db: Database, query: KeywordQuery): readonly ScoredChunk[] {
  return query.names === 'counted' ? findNamedChunks(db, query) : findScoredChunks(db, query);
}

/**
 * The chunks that match, best first; equally relevant ones by importance, then by age. Ranks before joining with
 * `chunks`, which is 3 to 4 times faster. Importance is therefore looked up only where it decides.
 */
function findScoredChunks(db: Database, search: KeywordQuery): readonly ScoredChunk[] {
  const chunks = onSnapshot(db, () =>
    readRanked(db, withoutWorse(bestRows(db, search), search.limit)),
  );
  return sortByScore(chunks, search.limit);
}

/** Like `findScoredChunks`, but the names of a chunk's source add to its score. */
function findNamedChunks(db: Database, search: KeywordQuery): readonly ScoredChunk[] {
  return onSnapshot(db, () => {
    const byName = rowsByName(db, search);
    if (byName.length === 0) return findScoredChunks(db, search);
    const limit = Math.max(search.limit, CHUNKS_BESIDE_NAMES);
    const byText = withoutWorse(bestRows(db, { ...search, limit }), limit);
    const scores = new Map(byText.map(({ number, score }) => [number, score]));
    for (const { number, score } of byName) scores.set(number, score + (scores.get(number) ?? 0));
    const rows = Array.from(scores, ([number, score]) => ({ number, score }))
      .toSorted((a, b) => a.score - b.score || a.number - b.number)
      .slice(0, search.limit + EXPECTED_EQUALS);
    return sortByScore(readRanked(db, withoutWorse(rows, search.limit)), search.limit);
  });
}

function sortByScore(chunks: readonly ScoredChunk[], limit: number): readonly ScoredChunk[] {
  return chunks
    .toSorted((a, b) => b.score - a.score || b.chunk.importance - a.chunk.importance)
    .slice(0, limit);
}

/**
 * Keeps the best rows, and rows that tie with the last of them. Drops the others, because reading a chunk takes longer
 * than ranking it.
 */
function withoutWorse(rows: readonly RankedRow[], limit: number): readonly RankedRow[] {
  const last = rows[limit - 1]?.score ?? Number.POSITIVE_INFINITY;
  return rows.filter(({ score }) => score <= last);
}

function readRanked(db: Database, rows: readonly RankedRow[]): readonly ScoredChunk[] {
  const found = prepareOnce<[string], readonly [...unknown[], number: number]>(db, CHUNKS_OF_ROWS)
    .raw()
    .all(JSON.stringify(rows.map(({ number }) => number)));
  const chunks = new Map(found.map((values) => [values.at(-1), toChunk(toChunkRow(values))]));
  return rows.flatMap(({ number, score }) => {
    const chunk = chunks.get(number);
    return chunk === undefined ? [] : [{ chunk, score: -score, bm25: -score }];
  });
}

const CHUNKS_OF_ROWS = `SELECT ${CHUNK_COLUMNS}, c.rowid AS number FROM json_each(?) j
  CROSS JOIN chunks c ON c.rowid = j.value`;

/**
 * The chunks of the sources whose names match best, with the amount to add to their scores (negative, lower is better).
 */
function rowsByName(db: Database, search: KeywordQuery): readonly RankedRow[] {
  const match = toFtsMatch(asBigrams(search.expression));
  if (match === '') return [];
  const condition = chunkCondition(search.filter);
  return rankedRows(
    db,
    `SELECT c.rowid AS number, best.score FROM (
       SELECT rowid AS id, ${NAME_WEIGHT} * bm25(store_name_words) AS score FROM store_name_words
       WHERE store_name_words MATCH ? ORDER BY score LIMIT ${SOURCES_BY_NAME}
     ) best CROSS JOIN store_names n ON n.id = best.id
     CROSS JOIN chunks c ON c.source_file = n.source_file
     WHERE ${condition?.sql ?? 'true'} LIMIT ${CHUNKS_BY_NAME}`,
    [match, ...(condition?.parameters ?? [])],
  );
}

/**
 * Counts the chunks with each word. Words of scripts without spaces are counted in the index that has their bigrams.
 */
function countChunks(db: Database, words: readonly string[]): ChunkCounts {
  const count = (sql: string, ...parameters: readonly string[]) =>
    prepareOnce<unknown[], number>(db, sql)
      .pluck()
      .get(...parameters) ?? 0;
  return {
    chunks: count('SELECT count(*) FROM chunks'),
    holding: words.map((text) => {
      const expression: Expression = { kind: 'terms', terms: [{ text, prefix: false }] };
      return containsUnspaced(text)
        ? count(HOLDING('side_words'), toFtsMatch(asBigrams(expression)))
        : count(HOLDING('chunks_fts'), toFtsMatch(expression));
    }),
  };
}

const CONTENTS_WITH = `SELECT content FROM chunks WHERE content LIKE '%' || ? || '%'
  AND (SELECT count(*) FROM chunks) <= ${SCANNED_CHUNKS_MAX} LIMIT ${MIXED_CASE_CHUNKS_MAX}`;

const HOLDING = (table: string) =>
  `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ${COUNTED_CHUNKS_MAX})`;
