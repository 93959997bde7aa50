import { NAME_WEIGHT } from '../../../domain/limits.js';
import type { Expression } from '../../../domain/query/expression.js';
import type { ChunkFilter } from '../../../ports/keyword-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import type { Parameters, Session } from '../database/session.js';
import { exactRanking } from './exact-ranking.js';
import { type TextQuery, toTextQuery } from './text-query.js';

/** What to look for among the names of sources; undefined if none matches, as is often so. */
export async function matchingNames(
  session: Session,
  schema: string,
  names: Expression | undefined,
): Promise<TextQuery | undefined> {
  const query = names && toTextQuery(names);
  if (query === undefined) return undefined;
  const found = await session.query(
    `SELECT 1 FROM ${schema}.names WHERE name_positions @@ $1::tsquery LIMIT 1`,
    [query.match],
  );
  return found.length > 0 ? query : undefined;
}

/** So many sources, and chunks of them, are looked at. */
const SOURCES_BY_NAME = 50;
const CHUNKS_BY_NAME = 500;

interface NameRanking {
  readonly schema: string;
  readonly query: TextQuery;
  readonly filter: ChunkFilter;
}

/** A SELECT of what the names of their sources add to the relevance of chunks. */
export function byNames({ schema, query, filter }: NameRanking, parameters: Parameters): string {
  const sources = exactRanking({ schema, column: 'name', query, filter }, parameters);
  return `SELECT c.no, c.importance, ${NAME_WEIGHT} * best.relevance AS relevance
    FROM (SELECT * FROM (${sources}) named
      ORDER BY relevance DESC, source_file LIMIT ${SOURCES_BY_NAME}) best
    JOIN ${schema}.chunks c ON c.source_file = best.source_file
    WHERE ${chunkCondition(filter, parameters)} LIMIT ${CHUNKS_BY_NAME}`;
}

/** The list, where what names add is counted. */
export function withNames(list: string, byName: string | undefined): string {
  if (byName === undefined) return list;
  return `SELECT no, importance, sum(relevance) AS relevance
    FROM ((${list}) UNION ALL (${byName})) parts GROUP BY no, importance`;
}
