import type { Chunk } from '../../../domain/chunks/chunk.js';
import type { SearchResult } from '../../../domain/search.js';
import type { StoreStats } from '../../../domain/stats.js';
import { presentTags } from './present-tags.js';

/** A result with the whole KnowledgeChunk of the specification. */
export function resultOf({ chunk, score }: SearchResult) {
  return { chunk: chunkOf(chunk), score };
}

/** Stats with all six source types. */
export function statsOf(stats: StoreStats) {
  return {
    totalChunks: stats.totalChunks,
    totalSizeBytes: stats.totalSizeBytes,
    uniqueSources: stats.uniqueSources,
    sourceTypeBreakdown: breakdownOf(stats.sourceTypeBreakdown),
    lastUpdated: stats.lastUpdated,
    dbPath: stats.dbPath,
  };
}

function chunkOf(chunk: Chunk) {
  return {
    id: chunk.id,
    sourceType: chunk.sourceType,
    sourceFile: chunk.sourceFile,
    projectPath: chunk.projectPath,
    chunkIndex: chunk.chunkIndex,
    heading: chunk.heading,
    content: chunk.content,
    tags: presentTags(chunk),
    importance: chunk.importance,
    createdAt: chunk.createdAt,
    updatedAt: chunk.updatedAt,
  };
}

function breakdownOf(counts: StoreStats['sourceTypeBreakdown']) {
  return {
    file: counts.file,
    reflection: counts.reflection,
    agent_output: counts.agent_output,
    url: counts.url,
    manual: counts.manual,
    generated: counts.generated,
  };
}
