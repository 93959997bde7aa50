import type { ChunkFilter } from '../../../ports/chunk-filter.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import type { Parameters } from '../database/session.js';
import type { OptionalIndex } from '../indexes/index-catalog.js';
import type { TextQuery } from './text-query.js';

/** The words are stems already, so the index takes them as they are. */
export function bm25Index(fromChunks: number): OptionalIndex {
  return {
    name: 'chunks_bm25',
    table: 'chunks',
    definition: `USING bm25 (words) WITH (text_config = 'pg_catalog.simple', k1 = 1.2, b = 0.75)`,
    fromChunks,
    validFor: 'run',
  };
}

interface Bm25Ranking {
  readonly schema: string;
  /** The full name of the index. */
  readonly index: string;
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
 * A SELECT of `no`, `importance` and `relevance` of the best chunks, some more than `limit`, or of the chosen
 * ones; without the index it would return chunks of relevance 0. Ties are sorted outside of it: another sort inside
 * would keep the index from being used.
 */
export function bm25Ranking(ranking: Bm25Ranking, parameters: Parameters): string {
  const { schema, index, query, filter, limit, ids } = ranking;
  const words = parameters.add(query.terms.flatMap(({ tokens }) => tokens).join(' '));
  const score = `c.words <@> to_bm25query(${words}, '${schema}.${index}')`;
  const match = () => `c.word_positions @@ ${parameters.add(query.match)}::tsquery`;
  const best = (most: number) => {
    const matches = query.isAnyWord ? 'true' : match();
    const condition = `${matches} AND ${chunkCondition(filter, parameters)}`;
    return bestOf(`${schema}.chunks c WHERE ${condition}`, score, parameters.add(most));
  };
  if (ids === undefined) return best(limit + SPARE_ROWS);
  return `SELECT c.no, c.importance, coalesce(best.relevance, -(${score})) AS relevance
    FROM ${schema}.chunks c LEFT JOIN (${best(SCORED_BY_SCAN)}) best ON best.no = c.no
    WHERE ${match()} AND c.id = ANY(${parameters.add(ids)})`;
}

/**
 * To compute a score takes ten times as long as to find a row, so the score that the scan of the index leaves is
 * read instead. A plan without such a scan sorts by computed scores and reads one and the same for all rows:
 * where all are equal, they are computed. It would read another one in each parallel worker, which random()
 * prevents. In a CTE, pg_textsearch would compute every score in order to sort.
 */
function bestOf(source: string, score: string, end: string): string {
  return `SELECT c.no, c.importance,
      -CASE WHEN min(c.score) OVER () < max(c.score) OVER () THEN c.score ELSE ${score} END AS relevance
    FROM (
      SELECT c.no, c.importance, c.words, bm25_get_current_score() AS score,
        random() AS unparalleled
      FROM ${source}
      ORDER BY ${score} LIMIT ${end}
    ) c`;
}

/** So that among equals the more important ones are there; beyond, the index decides. */
const SPARE_ROWS = 50;
/**
 * A scan adds up in single precision, so a score that is computed differs from the seventh digit on. Chosen chunks among
 * so many best ones have the scores that a search returns.
 */
const SCORED_BY_SCAN = 200;
