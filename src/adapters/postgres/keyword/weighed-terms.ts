import type { SchemaSession } from '../database/session.js';
import type { RankedTerm, TextQuery } from './text-query.js';

/**
 * What is searched: the words of chunks, their side words (such as bigrams of Chinese and Japanese), or the names of
 * sources.
 */
export type SearchedColumn = 'word' | 'bigram' | 'name';

/** The table of each, and what identifies and orders its rows. */
export const SEARCHED = {
  word: { table: 'chunks', key: 'no', importance: 'importance' },
  bigram: { table: 'chunks', key: 'no', importance: 'importance' },
  name: { table: 'names', key: 'source_file', importance: '0' },
} as const satisfies Readonly<Record<SearchedColumn, object>>;

/** A query, and the column in which to look for its terms. */
export interface Searched {
  readonly column: SearchedColumn;
  readonly query: TextQuery;
}

export interface WeighedTerm extends RankedTerm {
  /** The number of rows that contain the term. */
  readonly holders: number;
  readonly idf: number;
}

interface WeighedTerms {
  /** Rarest first. */
  readonly terms: readonly WeighedTerm[];
  /** Words per row. */
  readonly averageLength: number;
}

/** Counts the rows that contain each term, and all rows. */
export async function weighTerms(
  { session, schema }: SchemaSession,
  { column, query }: Searched,
): Promise<WeighedTerms> {
  const { table } = SEARCHED[column];
  const [counts] = await session.query<{
    readonly rows: number;
    readonly length: number;
    readonly holders: readonly number[];
  }>(
    `SELECT count(*) AS rows, coalesce(avg(c.${column}_count), 0)::float8 AS length, ARRAY(
       SELECT (SELECT count(*) FROM ${schema}.${table} c WHERE c.${column}_positions @@ t.query)::float8
       FROM unnest($1::tsquery[]) WITH ORDINALITY AS t(query, number) ORDER BY t.number) AS holders
     FROM ${schema}.${table} c WHERE c.${column}_positions IS NOT NULL`,
    [query.terms.map((term) => term.query)],
  );
  const weighed = query.terms.map((term, i) => {
    const holders = counts?.holders[i] ?? 0;
    return { ...term, holders, idf: inverseFrequency(counts?.rows ?? 0, holders) };
  });
  return {
    terms: weighed.toSorted((a, b) => a.holders - b.holders),
    averageLength: counts?.length ?? 0,
  };
}

/** The inverse document frequency. Like FTS5, it has a lower bound for terms in more than half of the rows. */
function inverseFrequency(rows: number, holders: number): number {
  const value = Math.log((rows - holders + 0.5) / (holders + 0.5));
  return value > 0 ? value : 1e-6;
}
