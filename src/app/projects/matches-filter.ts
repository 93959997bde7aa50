import type { Chunk } from '../../domain/chunks/chunk.js';
import type { ChunkFilter } from '../../ports/keyword-index.js';

/** Whether a chunk passes a filter. */
export function matchesFilter(chunk: Chunk, filter: ChunkFilter): boolean {
  const { sourceTypes, excludedSources, folders, sourceFiles, since, until, tags, chunkIds } =
    filter;
  const { sourceFile, createdAt } = chunk;
  const isBelow = (folder: string) => sourceFile.startsWith(`${folder}/`);
  return (
    (sourceTypes === 'all' || sourceTypes.includes(chunk.sourceType)) &&
    excludedSources?.includes(sourceFile) !== true &&
    (folders === undefined || folders.some(isBelow)) &&
    filter.excludedFolders?.some(isBelow) !== true &&
    sourceFiles?.includes(sourceFile) !== false &&
    (since === undefined || createdAt >= since) &&
    (until === undefined || createdAt < until) &&
    (tags ?? []).every((tag) => chunk.tags?.includes(tag) === true) &&
    chunkIds?.includes(chunk.id) !== false
  );
}
