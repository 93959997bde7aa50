import { EMBEDDED_MAX_CHARACTERS } from '../../../domain/limits.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';

export interface Condition {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** A filter as a condition on a table of chunks named `c`; undefined if every chunk matches. */
export function chunkCondition(filter: ChunkFilter): Condition | undefined {
  const { sourceTypes, excludedSources = [], tags = [] } = filter;
  const clauses: Condition[] = [];
  if (sourceTypes !== 'all') clauses.push(oneOf('c.source_type IN', sourceTypes));
  if (excludedSources.length > 0) clauses.push(oneOf('c.source_file NOT IN', excludedSources));
  if (tags.length > 0) clauses.push({ sql: HAS_ALL_TAGS, parameters: [JSON.stringify(tags)] });
  if (clauses.length === 0) return undefined;
  return {
    sql: clauses.map(({ sql }) => sql).join(' AND '),
    parameters: clauses.flatMap(({ parameters }) => parameters),
  };
}

/** Tags that are no JSON array of moderate length, which another program may have written, count as none. */
const HAS_ALL_TAGS = `CASE WHEN octet_length(c.tags) <= ${EMBEDDED_MAX_CHARACTERS}
    AND json_valid(c.tags) AND json_type(c.tags) = 'array' THEN NOT EXISTS (
      SELECT 1 FROM json_each(?) wanted WHERE wanted.value NOT IN (
        SELECT own.value FROM json_each(c.tags) own WHERE own.type = 'text'))
    ELSE false END`;

function oneOf(test: string, values: readonly string[]): Condition {
  return { sql: `${test} (SELECT value FROM json_each(?))`, parameters: [JSON.stringify(values)] };
}
