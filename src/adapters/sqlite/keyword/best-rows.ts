import type { Database } from 'better-sqlite3';
import type { KeywordQuery } from '../../../ports/keyword-index.js';
import { chunkCondition, type Sql } from '../chunks/chunk-rows.js';
import { prepareOnce } from '../database/statements.js';
import {
  filteredBy,
  oneOfRows,
  type RankedRow,
  type Restriction,
  rankedRows,
  rankMatches,
  selectMatches,
  storedMatches,
} from './match-list.js';

/**
 * The matching rows, best first: at least `limit` of them, and more with the score of the last one, as far as they
 * matter. A filter is first applied to the best rows only, which is up to 3 times faster, unless too few chunks pass
 * it.
 */
export function bestRows(db: Database, search: KeywordQuery): readonly RankedRow[] {
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
  const rows = rankMatches(db, list, count);
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
  const numbers = prepareOnce<string[], number>(
    db,
    `SELECT c.rowid FROM json_each(?) j CROSS JOIN chunks c ON c.rowid = j.value
     WHERE ${condition.sql}`,
  )
    .pluck()
    .all(JSON.stringify(rows.map(({ number }) => number)), ...condition.parameters);
  const passing = new Set(numbers);
  return rows.filter(({ number }) => passing.has(number));
}

/** Limit of the ranked rows to which a filter is applied; looking them up is wasted if too few pass. */
const FILTERED_ROWS = 2000;

/** The best rows of a list. If very many tie with the last one, takes the most important of those. */
function selectBest(db: Database, list: Sql, limit: number): readonly RankedRow[] {
  const rows = rankMatches(db, list, limit + EXPECTED_EQUALS);
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

/** Copies of a text have equal scores; fetching this many of them saves a second query. */
export const EXPECTED_EQUALS = 50;
