import type { ChunkFilter } from '../../../ports/keyword-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import type { Parameters } from '../database/session.js';
import type { RankedTerm, TextQuery } from './text-query.js';

/**
 * What is searched: the words of chunks, their side words (such as bigrams of Chinese and Japanese), or the names of
 * sources.
 */
export type SearchedColumn = 'word' | 'bigram' | 'name';

/** The table of each, and the columns to select besides the relevance. */
const SEARCHED = {
  word: { table: 'chunks', key: 'no, importance', row: 'c.no, c.importance' },
  bigram: { table: 'chunks', key: 'no, importance', row: 'c.no, c.importance' },
  name: { table: 'names', key: 'source_file', row: 'c.source_file' },
} as const satisfies Readonly<Record<SearchedColumn, object>>;

interface ExactRanking {
  readonly schema: string;
  readonly column: SearchedColumn;
  readonly query: TextQuery;
  readonly filter: ChunkFilter;
}

/**
 * Returns a SELECT of `no`, `importance` and `relevance`, or of `source_file` and `relevance` for names. Computes the
 * same BM25 as SQLite's FTS5, in plain SQL, over every matching row. Exact, and works on any PostgreSQL, but takes time
 * in proportion to the number of matches.
 */
export function exactRanking(ranking: ExactRanking, parameters: Parameters): string {
  const { schema, column, query, filter } = ranking;
  const [positions, length] = [`c.${column}_positions`, `c.${column}_count`];
  const conditions = [
    `(t.scope IS NULL OR ${positions} @@ t.scope)`,
    ...(query.isAnyWord ? [] : [`${positions} @@ ${parameters.add(query.match)}::tsquery`]),
    column === 'name' ? 'true' : chunkCondition(filter, parameters),
  ];
  const { table, key, row } = SEARCHED[column];
  return `
    WITH corpus AS MATERIALIZED (
      SELECT count(*)::float8 AS chunks, avg(${length})::float8 AS length
      FROM ${schema}.${table} c WHERE ${positions} IS NOT NULL
    ), hits AS MATERIALIZED (
      SELECT t.number, ${row}, ${length} AS length, ${termFrequency(positions)} AS tf,
        ${conditions.join(' AND ')} AS is_wanted
      FROM ${termRows(query.terms, parameters)} JOIN ${schema}.${table} c ON ${positions} @@ t.query
    ), terms AS MATERIALIZED (
      SELECT number, ${idf('corpus.chunks', 'count(*)')} AS idf
      FROM hits CROSS JOIN corpus GROUP BY number, corpus.chunks
    )
    SELECT ${key}, sum(terms.idf * hits.tf * ${K1 + 1} / (hits.tf
      + ${K1} * (1 - ${B} + ${B} * hits.length / corpus.length))) AS relevance
    FROM corpus, hits JOIN terms USING (number)
    WHERE hits.is_wanted GROUP BY ${key}`;
}

const K1 = 1.2;
const B = 0.75;

/**
 * SQL for the inverse document frequency. Like FTS5, it has a lower bound for terms in more than half of the chunks.
 */
function idf(chunks: string, holders: string): string {
  const value = `ln((${chunks} - ${holders} + 0.5) / (${holders} + 0.5))`;
  return `CASE WHEN ${value} > 0 THEN ${value} ELSE 1e-6 END`;
}

/** A table of the terms. The scope is null if it equals the term itself. */
function termRows(terms: readonly RankedTerm[], parameters: Parameters): string {
  const columns = [
    `${parameters.add(terms.map(({ query }) => query))}::tsquery[]`,
    `${parameters.add(terms.map(({ query, scope }) => (scope === `(${query})` ? null : scope)))}::tsquery[]`,
    `${parameters.add(terms.map(({ tokens }) => tokens.join(' ')))}::text[]`,
    `${parameters.add(terms.map(({ isPrefix }) => isPrefix))}::boolean[]`,
  ];
  return `unnest(${columns.join(', ')}) WITH ORDINALITY AS t(query, scope, tokens, is_prefix, number)`;
}

/**
 * SQL for the term frequency. For a single word it is derived from `ts_rank`, which sums 1/j² over the occurrences j
 * and divides by π²/6; that is faster than reading positions. Phrases and prefixes are counted.
 */
function termFrequency(positions: string): string {
  return `CASE WHEN t.is_prefix OR t.tokens LIKE '% %' THEN (
    SELECT count(*) FROM (
      SELECT 1 FROM unnest(${positions}) AS l(lexeme, places, weights)
      JOIN LATERAL unnest(string_to_array(t.tokens, ' ')) WITH ORDINALITY AS w(token, place)
        ON l.lexeme = w.token OR (t.is_prefix AND starts_with(l.lexeme, w.token)
          AND w.place = cardinality(string_to_array(t.tokens, ' ')))
      CROSS JOIN LATERAL unnest(l.places) AS p
      GROUP BY p - w.place HAVING count(*) = cardinality(string_to_array(t.tokens, ' '))
    ) occurrences
  ) ELSE round(1 / (1.64493406685 *
    (1 - ts_rank('{1,1,1,1}', ${positions}, t.query)::float8)) - 0.5) END`;
}
