import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import { chunkCondition } from '../chunks/chunk-condition.js';
import type { Parameters } from '../connection/parameters.js';
import type { TextQuery } from './text-query.js';

/** The name of the BM25 index of a project. */
export const BM25_INDEX = 'chunks_bm25';

/** The words are stems already, so the index takes them as they are. */
export function bm25IndexDefinition(schema: string): string {
  return `ON ${schema}.chunks USING bm25 (words)
    WITH (text_config = 'pg_catalog.simple', k1 = 1.2, b = 0.75)`;
}

export interface Bm25Ranking {
  readonly schema: string;
  readonly query: TextQuery;
  readonly filter: ChunkFilter;
  readonly limit: number;
  /** Only these chunks; all if absent. */
  readonly ids?: readonly string[];
}

/** Whether the index can rank a query: it knows no prefixes. */
export function isRankedByIndex({ terms }: TextQuery): boolean {
  return terms.every(({ isPrefix }) => !isPrefix);
}

/**
 * A SELECT of `no`, `importance` and `relevance` of the best chunks, some more than `limit`; without the index it
 * would return chunks of relevance 0. Ties are sorted outside of it: another sort inside would keep the
 * index from being used.
 */
export function bm25Ranking(ranking: Bm25Ranking, parameters: Parameters): string {
  const { schema, query, filter, limit, ids } = ranking;
  const words = parameters.add(query.terms.flatMap(({ tokens }) => tokens).join(' '));
  const score = `c.words <@> to_bm25query(${words}, '${schema}.${BM25_INDEX}')`;
  const match = () => `c.word_positions @@ ${parameters.add(query.match)}::tsquery`;
  const conditions = [
    chunkCondition(filter, parameters),
    ...(ids === undefined && query.isAnyWord ? [] : [match()]),
    ...(ids === undefined ? [] : [`c.id = ANY(${parameters.add(ids)})`]),
  ];
  const select = `SELECT c.no, c.importance, -(${score}) AS relevance FROM ${schema}.chunks c
    WHERE ${conditions.join(' AND ')}`;
  return ids === undefined
    ? `${select} ORDER BY ${score} LIMIT ${parameters.add(limit + SPARE_ROWS)}`
    : select;
}

/** So that among equals the more important ones are there; beyond, the index decides. */
const SPARE_ROWS = 50;
