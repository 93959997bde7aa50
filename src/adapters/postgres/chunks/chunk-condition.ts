import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { Parameters } from '../connection/parameters.js';

/** A filter as a condition on a table of chunks named `c`. */
export function chunkCondition(
  { sourceTypes, excludedSources = [], tags = [] }: ChunkFilter,
  parameters: Parameters,
): string {
  const clauses: string[] = [];
  if (sourceTypes !== 'all') clauses.push(`c.source_type = ANY(${parameters.add(sourceTypes)})`);
  if (excludedSources.length > 0)
    clauses.push(`c.source_file <> ALL(${parameters.add(excludedSources)})`);
  if (tags.length > 0) clauses.push(`c.tags @> ${parameters.add(JSON.stringify(tags))}::jsonb`);
  return clauses.length === 0 ? 'true' : clauses.join(' AND ');
}
