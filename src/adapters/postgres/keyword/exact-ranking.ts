import type { ChunkFilter } from '../../../ports/keyword-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import { Parameters, type SchemaSession } from '../database/session.js';
import { SEARCHED, type Searched, type WeighedTerm, weighTerms } from './weighed-terms.js';

interface Ranking extends Searched {
  readonly filter: ChunkFilter;
  /** Maximum number of rows. */
  readonly limit: number;
}

/** A chunk or a source, and its score. */
export interface RankedRow<Key> {
  /** Number of a chunk, or path of a source. */
  readonly key: Key;
  readonly importance: number;
  /** Above 0; higher is better. */
  readonly relevance: number;
}

/**
 * Ranks the matching rows by the same BM25 as SQLite's FTS5, in plain SQL, so that it works on any PostgreSQL. Best
 * rows first; equal ones by importance, then by key.
 *
 * Begins with the rows that contain one of the rarest terms, and takes the next terms only while a row without the
 * former ones could still be among the best. So most rows that contain only common words are never scored.
 */
export async function rankExactly<Key extends number | string>(
  store: SchemaSession,
  ranking: Ranking,
): Promise<readonly RankedRow<Key>[]> {
  const { filter, limit } = ranking;
  const { terms, averageLength } = await weighTerms(store, ranking);
  const bounds = terms.map(({ idf }) => idf * (K1 + 1));
  let wanted = limit;
  let count = filter.chunkIds ? terms.length : countLeading(terms, wanted);
  for (;;) {
    const rows = await scoreRows<Key>(store, ranking, {
      terms,
      averageLength,
      leading: count < terms.length ? terms.slice(0, count) : [],
    });
    const needed = countNeededTerms(bounds, rows[limit - 1]?.relevance ?? 0);
    if (needed <= count) return rows;
    wanted *= GROWTH;
    count = Math.min(needed, Math.max(count + 1, countLeading(terms, wanted)));
  }
}

/** Each round looks at this many times the rows of the former one. */
const GROWTH = 8;

/** The number of leading terms that at least this many rows contain together; a row counts once per term. */
function countLeading(terms: readonly WeighedTerm[], rows: number): number {
  let held = 0;
  const last = terms.findIndex(({ holders }) => {
    held += holders;
    return held >= rows;
  });
  return last === -1 ? terms.length : last + 1;
}

/**
 * How many terms a search has to look up, as MaxScore does (Turtle and Flood, "Query evaluation: strategies and
 * optimizations", 1995): a row without any of them cannot reach the score.
 * @param bounds what each term adds to the score of a row at most, highest first
 * @param score the score of the last row that is wanted; 0 if there are too few rows
 * @returns the number of leading terms, at least 1
 */
function countNeededTerms(bounds: readonly number[], score: number): number {
  let needed = bounds.length;
  let withoutThem = bounds.at(-1) ?? 0;
  while (needed > 1 && withoutThem < score) {
    needed -= 1;
    withoutThem += bounds[needed - 1] ?? 0;
  }
  return needed;
}

const K1 = 1.2;
const B = 0.75;

interface Scoring {
  readonly terms: readonly WeighedTerm[];
  readonly averageLength: number;
  /** Only rows that contain one of these terms are scored; if empty, all that match. */
  readonly leading: readonly WeighedTerm[];
}

async function scoreRows<Key>(
  { session, schema }: SchemaSession,
  { column, query, filter, limit }: Ranking,
  { terms, averageLength, leading }: Scoring,
): Promise<readonly RankedRow<Key>[]> {
  const parameters = new Parameters();
  const { table, key, importance } = SEARCHED[column];
  const positions = `c.${column}_positions`;
  const wanted = [
    't.query',
    ...(terms.some(({ query, scope }) => scope !== `(${query})`) ? ['t.scope'] : []),
    ...(query.isAnyWord ? [] : [`${parameters.add(query.match)}::tsquery`]),
    ...(leading.length === 0
      ? []
      : [`${parameters.add(leading.map((term) => term.query).join(' | '))}::tsquery`]),
  ].join(' && ');
  const condition = column === 'name' ? 'true' : chunkCondition(filter, parameters);
  return session.query<RankedRow<Key>>(
    `WITH hits AS MATERIALIZED (
       SELECT c.${key} AS key, ${importance} AS importance, t.idf,
         c.${column}_count AS length, ${termFrequency(positions)} AS tf
       FROM ${termRows(terms, parameters)} JOIN ${schema}.${table} c ON ${positions} @@ (${wanted})
       WHERE ${condition}
     )
     SELECT key, importance, sum(idf * tf * ${K1 + 1} / (tf
       + ${K1} * (1 - ${B} + ${B} * length / ${parameters.add(averageLength)}::float8))) AS relevance
     FROM hits GROUP BY key, importance
     ORDER BY relevance DESC, importance DESC, key LIMIT ${parameters.add(limit)}`,
    parameters.values,
  );
}

/** A table of the terms. */
function termRows(terms: readonly WeighedTerm[], parameters: Parameters): string {
  const columns = [
    `${parameters.add(terms.map(({ query }) => query))}::tsquery[]`,
    `${parameters.add(terms.map(({ scope }) => scope))}::tsquery[]`,
    `${parameters.add(terms.map(({ tokens }) => tokens.join(' ')))}::text[]`,
    `${parameters.add(terms.map(({ isPrefix }) => isPrefix))}::boolean[]`,
    `${parameters.add(terms.map(({ idf }) => idf))}::float8[]`,
  ];
  return `unnest(${columns.join(', ')}) AS t(query, scope, tokens, is_prefix, idf)`;
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
