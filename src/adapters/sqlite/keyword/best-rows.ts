import type { Database } from 'better-sqlite3';
import { DEFAULT_IMPORTANCE } from '../../../domain/limits.js';
import { prepared } from '../database/prepared.js';
import { chunkCondition } from '../rows/chunk-condition.js';
import { filteredBy, matchesOf } from './match-list.js';
import type { KeywordSearch, RankedRow } from './ranked-row.js';
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
  const rows = found.rows.filter(({ fits }) => fits === 1);
  const last = rows[search.limit - 1]?.score;
  if (last === undefined) return found.areAll ? rows : filteredRows(db, search);
  const areEqualsThere = found.areAll || found.rows.at(-1)?.score !== last;
  return areEqualsThere ? rows.filter(({ score }) => score <= last) : filteredRows(db, search);
}

interface FirstRow extends RankedRow {
  /** 1 if the filter lets the chunk pass, else 0. */
  readonly fits: number;
}

interface FirstRows {
  readonly rows: readonly FirstRow[];
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
  const best = `${list.sql} ORDER BY score, number LIMIT ?`;
  const sql =
    condition === undefined
      ? `SELECT number, score, 1 AS fits FROM (${best})`
      : `SELECT best.number, best.score, EXISTS (
           SELECT 1 FROM chunks c WHERE c.rowid = best.number AND ${condition.sql}) AS fits
         FROM (${best}) best ORDER BY best.score, best.number`;
  const parameters = [...(condition?.parameters ?? []), ...list.parameters, asked];
  const rows = prepared<unknown[], FirstRow>(db, sql).all(...parameters);
  return { rows, areAll: rows.length < asked };
}

/** Copies of a text have equal scores; so many of them save a second query. */
const EXPECTED_EQUALS = 50;

/** With a filter, the first rows are not more than these, so that few chunks are looked up in vain. */
const MOST_ROWS = 2000;

/** The same from all matches that the filter lets pass. */
function filteredRows(db: Database, search: KeywordSearch): readonly RankedRow[] {
  const { expression, filter, limit } = search;
  const list = matchesOf(db, expression, filteredBy(filter));
  const ranked = prepared<unknown[], RankedRow>(
    db,
    `${list.sql} ORDER BY score, number LIMIT ?`,
  ).all(...list.parameters, limit + 1);
  const last = ranked[limit - 1]?.score;
  if (last === undefined || last !== ranked[limit]?.score) return ranked;
  const better = ranked.filter(({ score }) => score < last);
  const equal = prepared<unknown[], RankedRow>(
    db,
    `WITH list AS MATERIALIZED (${list.sql})
     SELECT list.number, list.score FROM list JOIN chunks c ON c.rowid = list.number
     WHERE list.score = ? ORDER BY ${IMPORTANCE} DESC, list.number LIMIT ?`,
  ).all(...list.parameters, last, limit - better.length);
  return [...better, ...equal];
}

/** As `toChunk` reads it. */
const IMPORTANCE = `CASE typeof(c.importance) WHEN 'null' THEN ${DEFAULT_IMPORTANCE}
  WHEN 'blob' THEN ${DEFAULT_IMPORTANCE} ELSE CAST(c.importance AS REAL) END`;
