import type { Database } from 'better-sqlite3';
import { DEFAULT_IMPORTANCE } from '../../../domain/limits.js';
import type { Expression } from '../../../domain/query/expression.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import { chunkCondition } from '../chunks/chunk-condition.js';
import { HAS_ID, rowOf, toChunk, WHOLE_CHUNK_COLUMNS } from '../chunks/chunk-rows.js';
import { onSnapshot, prepared } from '../database/prepared.js';
import {
  filteredBy,
  type KeywordSearch,
  matchesOf,
  oneOfRows,
  type RankedRow,
  ranked,
  rankedRows,
  type Sql,
} from './match-list.js';
import { bestByRareTerms } from './rare-terms.js';

/**
 * The chunks that match, best first; equally relevant ones by importance, then by age. Ranked before the
 * join with `chunks`, which is 3 to 4 times faster, so importance is looked up only where it decides.
 */
export function findScoredChunks(db: Database, search: KeywordSearch): readonly ScoredChunk[] {
  return onSnapshot(db, () => chunksOf(db, bestByRareTerms(db, search) ?? bestOfAll(db, search)))
    .toSorted((a, b) => b.score - a.score || b.chunk.importance - a.chunk.importance)
    .slice(0, search.limit);
}

/**
 * The relevance of those given chunks that match. All matches are gone through once, which is faster
 * than a query per chunk, but `bm25()` is computed for the given chunks only.
 */
export function scoreChunks(
  db: Database,
  expression: Expression,
  ids: readonly string[],
): ReadonlyMap<string, number> {
  const list = matchesOf(db, expression, oneOfRows(rowidsOf(db, ids)));
  const rows = prepared<unknown[], { readonly id: string; readonly relevance: number }>(
    db,
    `SELECT c.id, -best.score AS relevance FROM (${list.sql}) best
     CROSS JOIN chunks c ON c.rowid = best.number`,
  ).all(...list.parameters);
  return new Map(rows.map(({ id, relevance }) => [id, relevance]));
}

function chunksOf(db: Database, rows: readonly RankedRow[]): readonly ScoredChunk[] {
  const found = prepared<[string], readonly unknown[]>(db, CHUNKS_OF_ROWS)
    .raw()
    .all(JSON.stringify(rows.map(({ number }) => number)));
  const chunks = new Map(found.map((values) => [values.at(-1), toChunk(rowOf(values))]));
  return rows.flatMap(({ number, score }) => {
    const chunk = chunks.get(number);
    return chunk === undefined ? [] : [{ chunk, score: -score, bm25: -score }];
  });
}

const CHUNKS_OF_ROWS = `SELECT ${WHOLE_CHUNK_COLUMNS}, c.rowid FROM json_each(?) j
  CROSS JOIN chunks c ON c.rowid = j.value WHERE ${HAS_ID}`;

function rowidsOf(db: Database, ids: readonly string[]): readonly number[] {
  return prepared<[string], number>(
    db,
    'SELECT c.rowid FROM json_each(?) j JOIN chunks c ON c.id = j.value',
  )
    .pluck()
    .all(JSON.stringify(ids));
}

/**
 * The rows that match, best first: `limit` of them and those that are equal to the last one, where very many are
 * equal the more important ones of them. A filter by more than the type is first checked for the best rows only, which
 * is up to 3 times faster; all matches are filtered if too few of those pass.
 */
export function bestOfAll(db: Database, search: KeywordSearch): readonly RankedRow[] {
  const found = firstRows(db, search);
  const last = found.rows[search.limit - 1]?.score;
  if (last === undefined) return found.areAll ? found.rows : filteredRows(db, search);
  const areEqualsThere = found.areAll || found.lowest !== last;
  return areEqualsThere
    ? found.rows.filter(({ score }) => score <= last)
    : filteredRows(db, search);
}

interface FirstRows {
  /** Those that the filter lets pass. */
  readonly rows: readonly RankedRow[];
  /** The score of the last row, whether it passes or not. */
  readonly lowest: number | undefined;
  /** Whether nothing else matches. */
  readonly areAll: boolean;
}

/** The best of all rows that match and have the right type, whatever else the filter says. */
function firstRows(db: Database, { expression, filter, limit }: KeywordSearch): FirstRows {
  const { sourceTypes, ...others } = filter;
  const list = matchesOf(db, expression, filteredBy({ sourceTypes }));
  const condition = chunkCondition({ ...others, sourceTypes: 'all' });
  const looked = limit + EXPECTED_EQUALS;
  const asked = condition === undefined ? looked : Math.max(looked, Math.min(limit * 8, MOST_ROWS));
  const best = ranked(db, list, asked);
  const passing = condition === undefined ? best : passingOf(db, best, condition);
  return { rows: passing, lowest: best.at(-1)?.score, areAll: best.length < asked };
}

function passingOf(db: Database, rows: readonly RankedRow[], condition: Sql): readonly RankedRow[] {
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

/** Copies of a text have equal scores; so many of them save a second query. */
const EXPECTED_EQUALS = 50;

/** With a filter, the first rows are not more than these, so that few chunks are looked up in vain. */
const MOST_ROWS = 2000;

/** The same from all matches that the filter lets pass. */
function filteredRows(db: Database, search: KeywordSearch): readonly RankedRow[] {
  const { expression, filter, limit } = search;
  const list = matchesOf(db, expression, filteredBy(filter));
  const rows = ranked(db, list, limit + 1);
  const last = rows[limit - 1]?.score;
  if (last === undefined || last !== rows[limit]?.score) return rows;
  const better = rows.filter(({ score }) => score < last);
  const equal = rankedRows(
    db,
    `WITH list AS MATERIALIZED (${list.sql})
     SELECT list.number, list.score FROM list JOIN chunks c ON c.rowid = list.number
     WHERE list.score = ? ORDER BY ${IMPORTANCE} DESC, list.number LIMIT ?`,
    [...list.parameters, last, limit - better.length],
  );
  return [...better, ...equal];
}

/** As `toChunk` reads it. */
const IMPORTANCE = `CASE typeof(c.importance) WHEN 'null' THEN ${DEFAULT_IMPORTANCE}
  WHEN 'blob' THEN ${DEFAULT_IMPORTANCE} ELSE CAST(c.importance AS REAL) END`;
