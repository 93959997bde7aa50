import type { Database } from 'better-sqlite3';
import { asWords, type Expression, sideReading } from '../../../domain/query/expression.js';
import { toFtsMatch } from '../../../domain/query/fts-match.js';
import type { Sql } from '../chunks/chunk-rows.js';
import { prepareOnce } from '../database/statements.js';

/** Adds a condition on the rows of an index table. */
export type Restriction = (table: string) => Sql;

/**
 * SQL for the rowids and FTS5 scores (negative, lower is better) of the chunks that match. A chunk that both indexes
 * find gets the better of its two scores.
 */
export function selectMatches(db: Database, expression: Expression, restriction: Restriction): Sql {
  const words = storedMatches(expression, restriction);
  const sideMatch = toSideMatch(expression);
  if (sideMatch === undefined || prepareOnce(db, ANY_SIDE_MATCH).get(sideMatch) === undefined) {
    return words;
  }
  const side = matchTable('side_words', sideMatch, restriction);
  return {
    sql: `SELECT number, min(score) AS score FROM (${words.sql} UNION ALL ${side.sql})
          GROUP BY number`,
    parameters: [...words.parameters, ...side.parameters],
  };
}

/** Like `selectMatches`, but searches the words of the stored texts only. */
export function storedMatches(expression: Expression, restriction: Restriction): Sql {
  return matchTable('chunks_fts', toFtsMatch(asWords(expression)) || NOTHING, restriction);
}

/** A query that matches nothing: FTS5 accepts a phrase without a token, but not an empty query. */
const NOTHING = '""';

/** Checks whether the second index has any match. It usually has none, which saves ranking it and merging the two. */
const ANY_SIDE_MATCH = 'SELECT 1 FROM side_words WHERE side_words MATCH ? LIMIT 1';

function toSideMatch(expression: Expression): string | undefined {
  const reading = sideReading(expression);
  if (reading === undefined) return undefined;
  const match = `{content heading} : (${toFtsMatch(reading.expression) || NOTHING})`;
  return reading.extra === undefined
    ? match
    : `${match} AND extra : (${toFtsMatch(reading.extra)})`;
}

function matchTable(table: keyof typeof SCORES, match: string, restriction: Restriction): Sql {
  const { sql, parameters } = restriction(table);
  return {
    sql: `SELECT rowid AS number, ${SCORES[table]} AS score FROM ${table}
          WHERE ${table} MATCH ? ${sql}`,
    parameters: [match, ...parameters],
  };
}

/** The column `extra` has weight 0, because its words also occur in heading and content. */
const SCORES = { chunks_fts: 'bm25(chunks_fts)', side_words: 'bm25(side_words, 1, 1, 0)' } as const;

/**
 * Restricts matches to the few chunks that meet a condition on a table named `c`. The `+` keeps SQLite from running the
 * full-text query once per row.
 */
export function oneOfRows({ sql, parameters }: Sql): Restriction {
  return (table) => ({
    sql: `AND +${table}.rowid IN (SELECT c.rowid FROM chunks c WHERE ${sql})`,
    parameters,
  });
}

/** Restricts matches to the chunks that meet a condition on a table named `c`; no restriction if absent. */
export function filteredBy(condition?: Sql): Restriction {
  return (table) => {
    const wanted = condition ?? (table === 'side_words' ? ANY_CHUNK : undefined);
    if (wanted === undefined) return { sql: '', parameters: [] };
    const { sql, parameters } = wanted;
    return {
      sql: `AND EXISTS (SELECT 1 FROM chunks c WHERE c.rowid = ${table}.rowid AND ${sql})`,
      parameters,
    };
  };
}

/** Used for `side_words`, which keeps rows of deleted chunks for a while. */
const ANY_CHUNK: Sql = { sql: 'true', parameters: [] };

/** A row of an index, with its FTS5 score. */
export interface RankedRow {
  readonly number: number;
  /** Negative; lower is better. */
  readonly score: number;
}

/** The best rows of a list, in order of rowid if their scores are equal. */
export function rankMatches(
  db: Database,
  { sql, parameters }: Sql,
  limit: number,
): readonly RankedRow[] {
  return rankedRows(db, `${sql} ORDER BY score, number LIMIT ?`, [...parameters, limit]);
}

/**
 * Runs a query for `number` and `score`. Reads lists, which better-sqlite3 returns faster than objects, since every
 * search runs such queries.
 */
export function rankedRows(
  db: Database,
  sql: string,
  parameters: readonly unknown[],
): readonly RankedRow[] {
  return prepareOnce<unknown[], readonly [number: number, score: number]>(db, sql)
    .raw()
    .all(...parameters)
    .map(([number, score]) => ({ number, score }));
}
