import type { Chunk } from '../../../domain/chunks/chunk.js';
import type { SearchAnswer, SearchResult } from '../../../domain/search.js';
import type { KnowledgeStats } from '../../../ports/driving/status-service.js';
import { explanationOf } from './explanation-body.js';
import { presentTags } from './present-tags.js';

/** The answer of a search; `explain` is there only where it was asked for. */
export function answerOf(
  answer: SearchAnswer,
  { explain }: { readonly explain?: boolean | undefined },
) {
  return {
    results: answer.results.map(resultOf),
    retrieval_mode: answer.retrievalMode,
    totalTokens: answer.totalTokens,
    explain: explain === true ? explanationOf(answer.explanation) : undefined,
  };
}

/** A result with the chunk as the hybrid variant shows it. */
export function resultOf({ chunk, score }: SearchResult) {
  return { chunk: chunkOf(chunk), score };
}

/** Stats with the five source types that the hybrid variant lists. */
export function statsOf(stats: KnowledgeStats) {
  return {
    totalChunks: stats.totalChunks,
    totalSizeBytes: stats.totalSizeBytes,
    uniqueSources: stats.uniqueSources,
    sourceTypeBreakdown: breakdownOf(stats.sourceTypeBreakdown),
    lastUpdated: stats.lastUpdated,
    dbPath: stats.dbPath,
    enabledHybridRetrieval: stats.enabledHybridRetrieval,
  };
}

function chunkOf(chunk: Chunk) {
  return {
    id: chunk.id,
    sourceType: chunk.sourceType,
    sourceFile: chunk.sourceFile,
    heading: chunk.heading,
    content: chunk.content,
    tags: presentTags(chunk),
    importance: chunk.importance,
  };
}

function breakdownOf(counts: KnowledgeStats['sourceTypeBreakdown']) {
  return {
    file: counts.file,
    reflection: counts.reflection,
    agent_output: counts.agent_output,
    manual: counts.manual,
    generated: counts.generated,
  };
}
