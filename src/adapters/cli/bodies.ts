import type { Chunk } from '../../domain/chunks/chunk.js';
import type { CitationReport } from '../../domain/citations/told-citation.js';
import type { Explanation, RetrievalMode } from '../../domain/search.js';
import type { VectorStatus } from '../../domain/stats.js';
import type { StaleChunk } from '../../ports/driving/citation-service.js';
import type { FoundLessons } from '../../ports/driving/feature-lifecycle.js';
import type { SkippedProject } from '../../ports/driving/projects-search.js';
import type { ModelStatus } from '../../ports/driving/status-service.js';
import type { PrunedChunk } from '../../ports/driving/upkeep-service.js';

/** What the commands read of the bodies of routes (docs/api.md), where no port has that type. */

export interface ResultBody extends CitationReport {
  readonly chunk: Pick<Chunk, 'id' | 'sourceType' | 'sourceFile' | 'heading' | 'content' | 'tags'>;
  readonly score: number;
}

export interface SearchBody {
  readonly results: readonly ResultBody[];
  readonly retrieval_mode: RetrievalMode;
  readonly totalTokens: number;
  readonly explain?: Explanation;
}

export interface ProjectsBody {
  readonly results: readonly (ResultBody & {
    readonly projectPath: string;
    readonly relevance?: number;
  })[];
  readonly totalTokens: number;
  readonly skipped: readonly SkippedProject[];
}

export type SimilarBody = Pick<SearchBody, 'results'>;

export interface LessonsBody extends Pick<FoundLessons, 'section' | 'source'>, SimilarBody {}

export interface StatusBody {
  readonly embeddings: VectorStatus;
  readonly hype: VectorStatus;
  readonly model: ModelStatus;
  readonly indexing?: 'running';
}

export interface PruneBody {
  readonly deleted: number;
  readonly chunks: readonly PrunedChunk[];
}

export interface StaleBody {
  readonly chunks: readonly StaleChunk[];
}
