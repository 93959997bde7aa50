import type { Database } from 'better-sqlite3';
import { DEFAULT_IMPORTANCE } from '../../../domain/limits.js';
import { chunkCondition } from '../chunks/chunk-condition.js';
import { prepared } from '../database/prepared.js';
import {
  filteredBy,
  type KeywordSearch,
  matchesOf,
  type RankedRow,
  ranked,
  rankedRows,
  type Sql,
} from './match-list.js';
import { bestByRareTerms } from './rare-terms.js';

/**
 * The rows that match, best first: `limit` of them and those that are equal to the last one. Where very
 * many are equal, the more important ones of them.
 */
export function bestRows(db: Database, search: KeywordSearch): readonly RankedRow[] {
  return bestByRareTerms(db, search) ?? bestOfAll(db, search);
}

/**
 * The same without a shortcut. A filter by more than the type is first checked for the best rows only, which
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
