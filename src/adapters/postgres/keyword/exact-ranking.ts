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
const GROWTH = 32;

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

/**
 * The concatenation reads the words of a row once instead of once per term, because they are often stored outside the
 * row.
 */
async function scoreRows<Key>(
  { session, schema }: SchemaSession,
  { column, query, filter, limit }: Ranking,
  { terms, averageLength, leading }: Scoring,
): Promise<readonly RankedRow<Key>[]> {
  const parameters = new Parameters();
  const { table, key, importance } = SEARCHED[column];
  const candidates = [query.match, ...(leading.length > 0 ? [anyOf(leading)] : [])];
  const condition = column === 'name' ? 'true' : chunkCondition(filter, parameters);
  const length = `c.${column}_count / ${parameters.add(averageLength)}::float8`;
  return session.query<RankedRow<Key>>(
    `SELECT c.${key} AS key, ${importance} AS importance, score.relevance
     FROM ${schema}.${table} c
     CROSS JOIN LATERAL (SELECT c.${column}_positions || '' AS positions OFFSET 0) words
     CROSS JOIN LATERAL (
       SELECT sum(hits.idf * tf * ${K1 + 1} / (tf + ${K1} * (1 - ${B} + ${B} * ${length}))) AS relevance
       FROM (SELECT t.idf, ${TERM_FREQUENCY} AS tf FROM ${termRows(terms, parameters)}
         WHERE words.positions @@ t.query AND (t.scope IS NULL OR words.positions @@ t.scope) OFFSET 0) hits
     ) score
     WHERE c.${column}_positions @@ ${parameters.add(candidates.join(' & '))}::tsquery AND ${condition}
       AND score.relevance > 0
     ORDER BY relevance DESC, importance DESC, key LIMIT ${parameters.add(limit)}`,
    parameters.values,
  );
}

function anyOf(terms: readonly WeighedTerm[]): string {
  return `(${terms.map(({ query }) => query).join(' | ')})`;
}

/** A table of the terms. The scope is null if it equals the term itself. */
function termRows(terms: readonly WeighedTerm[], parameters: Parameters): string {
  const columns = [
    `${parameters.add(terms.map(({ query }) => query))}::tsquery[]`,
    `${parameters.add(terms.map(({ query, scope }) => (scope === `(${query})` ? null : scope)))}::tsquery[]`,
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
const TERM_FREQUENCY = `CASE WHEN t.is_prefix OR t.tokens LIKE '% %' THEN (
    SELECT count(*) FROM (
      SELECT 1 FROM unnest(words.positions) AS l(lexeme, places, weights)
      JOIN LATERAL unnest(string_to_array(t.tokens, ' ')) WITH ORDINALITY AS w(token, place)
        ON l.lexeme = w.token OR (t.is_prefix AND starts_with(l.lexeme, w.token)
          AND w.place = cardinality(string_to_array(t.tokens, ' ')))
      CROSS JOIN LATERAL unnest(l.places) AS p
      GROUP BY p - w.place HAVING count(*) = cardinality(string_to_array(t.tokens, ' '))
    ) occurrences
  ) ELSE round(1 / (1.64493406685 *
    (1 - ts_rank('{1,1,1,1}', words.positions, t.query)::float8)) - 0.5) END`;
