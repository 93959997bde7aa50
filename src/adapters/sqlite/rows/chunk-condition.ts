import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';

export interface Condition {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** A filter as a condition on a table of chunks named `c`; undefined if every chunk matches. */
export function chunkCondition(filter: ChunkFilter): Condition | undefined {
  const { sourceTypes, excludedSources = [] } = filter;
  const clauses: Condition[] = [];
  if (sourceTypes !== 'all') clauses.push(oneOf('c.source_type IN', sourceTypes));
  if (excludedSources.length > 0) clauses.push(oneOf('c.source_file NOT IN', excludedSources));
  if (clauses.length === 0) return undefined;
  return {
    sql: clauses.map(({ sql }) => sql).join(' AND '),
    parameters: clauses.flatMap(({ parameters }) => parameters),
  };
}

function oneOf(test: string, values: readonly string[]): Condition {
  return { sql: `${test} (SELECT value FROM json_each(?))`, parameters: [JSON.stringify(values)] };
}
