import { setTimeout } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { NAME_WEIGHT } from '../../../domain/limits.js';
import { asBigrams } from '../../../domain/query/expression.js';
import { toFtsMatch } from '../../../domain/query/fts-match.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { ChunkCounts, KeywordIndex, KeywordQuery } from '../../../ports/keyword-index.js';
import { eventLoop } from '../../../shared/in-batches.js';
import {
  CHUNK_COLUMNS,
  chunkCondition,
  type Sql,
  toChunk,
  toChunkRow,
} from '../chunks/chunk-rows.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { onSnapshot, prepared } from '../database/statements.js';
import { countChunks } from './count-chunks.js';
import {
  filteredBy,
  oneOfRows,
  type RankedRow,
  type Restriction,
  ranked,
  rankedRows,
  selectMatches,
  storedMatches,
} from './match-list.js';
import { areSideWordsBehind, catchUpSideWords } from './side-words.js';

/** Searches two FTS5 tables: one of the texts as they are stored, one of the words that this one does not have. */
export class SqliteKeywordIndex implements KeywordIndex {
  readonly #database: SqliteDatabase;
  #catchingUp: Promise<void> | undefined;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async search(query: KeywordQuery): Promise<readonly ScoredChunk[]> {
    if (query.words !== 'stored') await this.#catchUpSideWords();
    const find = query.names === 'counted' ? findNamedChunks : findScoredChunks;
    return this.#database.read((db) => find(db, query));
  }

  countChunks(words: readonly string[]): Promise<ChunkCounts> {
    return this.#database.read((db) => countChunks(db, words));
  }

  /** If the index cannot be updated (locked, read-only, full disk), searches use it as it is. */
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

/** No search waits longer for another process. */
const LONGEST_WAIT_MS = 50;

/**
 * The chunks that match, best first; equally relevant ones by importance, then by age. Ranked before the
 * join with `chunks`, which is 3 to 4 times faster, so importance is looked up only where it decides.
 */
export function findScoredChunks(db: Database, search: KeywordQuery): readonly ScoredChunk[] {
  const chunks = onSnapshot(db, () =>
    readRanked(db, withoutWorse(bestRows(db, search), search.limit)),
  );
  return sorted(chunks, search.limit);
}

/** As `findScoredChunks`, where the names of its source add to the score of a chunk. */
function findNamedChunks(db: Database, search: KeywordQuery): readonly ScoredChunk[] {
  return onSnapshot(db, () => {
    const byName = rowsByName(db, search);
    if (byName.length === 0) return findScoredChunks(db, search);
    const byText = bestRows(db, { ...search, limit: Math.max(search.limit, ROWS_BESIDE_NAMES) });
    const scores = new Map(byText.map(({ number, score }) => [number, score]));
    for (const { number, score } of byName) scores.set(number, score + (scores.get(number) ?? 0));
    const rows = Array.from(scores, ([number, score]) => ({ number, score }))
      .toSorted((a, b) => a.score - b.score || a.number - b.number)
      .slice(0, search.limit + EXPECTED_EQUALS);
    return sorted(readRanked(db, withoutWorse(rows, search.limit)), search.limit);
  });
}

/** A chunk that is not among so many by its text counts by its names alone. */
const ROWS_BESIDE_NAMES = 100;

function sorted(chunks: readonly ScoredChunk[], limit: number): readonly ScoredChunk[] {
  return chunks
    .toSorted((a, b) => b.score - a.score || b.chunk.importance - a.chunk.importance)
    .slice(0, limit);
}

/** The best rows, and rows equal to the last of them. No others, because reading a chunk takes longer than ranking it. */
function withoutWorse(rows: readonly RankedRow[], limit: number): readonly RankedRow[] {
  const last = rows[limit - 1]?.score ?? Number.POSITIVE_INFINITY;
  return rows.filter(({ score }) => score <= last);
}

function readRanked(db: Database, rows: readonly RankedRow[]): readonly ScoredChunk[] {
  const found = prepared<[string], readonly [...unknown[], number: number]>(db, CHUNKS_OF_ROWS)
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
 * The rows that match, best first: at least `limit` of them, and those that are equal to the last one, as far as they matter. A
 * filter is first applied to the best rows only, which is up to 3 times faster; that of few chunks to all.
 */
function bestRows(db: Database, search: KeywordQuery): readonly RankedRow[] {
  const { expression, filter, limit } = search;
  const matches = (restriction: Restriction) =>
    search.words === 'stored'
      ? storedMatches(expression, restriction)
      : selectMatches(db, expression, restriction);
  const list = matches(filteredBy());
  const condition = chunkCondition(filter);
  if (condition === undefined) return selectBest(db, list, limit);
  if (filter.chunkIds) return selectBest(db, matches(oneOfRows(condition)), limit);
  const count = Math.max(limit + EXPECTED_EQUALS, Math.min(limit * 8, FILTERED_ROWS));
  const rows = ranked(db, list, count);
  const passing = keepPassing(db, rows, condition);
  const last = passing[limit - 1]?.score;
  const isWhole = rows.length < count || (last !== undefined && last !== rows.at(-1)?.score);
  return isWhole ? passing : selectBest(db, matches(filteredBy(condition)), limit);
}

function keepPassing(
  db: Database,
  rows: readonly RankedRow[],
  condition: Sql,
): readonly RankedRow[] {
  const numbers = prepared<string[], number>(
    db,
    `SELECT c.rowid FROM json_each(?) j CROSS JOIN chunks c ON c.rowid = j.value
     WHERE ${condition.sql}`,
  )
    .pluck()
    .all(JSON.stringify(rows.map(({ number }) => number)), ...condition.parameters);
  const passing = new Set(numbers);
  return rows.filter(({ number }) => passing.has(number));
}

/** So few chunks are looked up in vain. */
const FILTERED_ROWS = 2000;

/** The best rows of a list; where very many are equal to the last one, the more important ones of those. */
function selectBest(db: Database, list: Sql, limit: number): readonly RankedRow[] {
  const rows = ranked(db, list, limit + EXPECTED_EQUALS);
  const last = rows[limit - 1]?.score;
  const isWhole = rows.length < limit + EXPECTED_EQUALS || rows.at(-1)?.score !== last;
  if (isWhole || last === undefined) return rows;
  const better = rows.filter(({ score }) => score < last);
  const equal = rankedRows(
    db,
    `WITH list AS MATERIALIZED (${list.sql})
     SELECT list.number, list.score FROM list JOIN chunks c ON c.rowid = list.number
     WHERE list.score = ? ORDER BY c.importance DESC, list.number LIMIT ?`,
    [...list.parameters, last, limit - better.length],
  );
  return [...better, ...equal];
}

/** Copies of a text have equal scores; so many of them save a second query. */
const EXPECTED_EQUALS = 50;

/** The chunks of the sources whose names match best, with the addition to their scores (negative, lower is better). */
function rowsByName(db: Database, search: KeywordQuery): readonly RankedRow[] {
  const match = toFtsMatch(asBigrams(search.expression));
  if (match === '') return [];
  const condition = chunkCondition(search.filter);
  return rankedRows(
    db,
    `SELECT c.rowid AS number, best.score FROM (
       SELECT rowid AS id, ${NAME_WEIGHT} * bm25(store_name_words) AS score FROM store_name_words
       WHERE store_name_words MATCH ? ORDER BY score LIMIT ${SOURCES}
     ) best CROSS JOIN store_names n ON n.id = best.id
     CROSS JOIN chunks c ON c.source_file = n.source_file
     WHERE ${condition?.sql ?? 'true'} LIMIT ${ROWS}`,
    [match, ...(condition?.parameters ?? [])],
  );
}

/** Limit of sources, and of chunks per source, in a search by names. */
const SOURCES = 50;
const ROWS = 500;
