import type { EmbeddingProgress, Stats, VectorStatus } from '../../domain/stats.js';
import type { EmbedderStatus } from '../embedder.js';

export interface ModelStatus
  extends Pick<EmbedderStatus, 'state' | 'runtime' | 'chunksPerSecond' | 'download'> {
  readonly name: string;
}

/**
 * Reports what a project's store contains and how far its background work has come. Only `getStats` creates a store;
 * the other numbers are zero for a directory without one. Without a `projectPath` the first three methods mean the project that was
 * initialized or used last.
 */
export interface StatusService {
  getStats(projectPath?: string): Promise<Stats>;
  /** How many chunks have a vector of their content. */
  getEmbeddingStatus(projectPath?: string): Promise<VectorStatus>;
  /** How many chunks have a vector of the questions that they answer (HyPE). */
  getHypeStatus(projectPath?: string): Promise<VectorStatus>;
  /** The embedding status, with the present rate and the time that the rest will take. */
  getEmbeddingProgress(projectPath: string): Promise<EmbeddingProgress>;
  /** Whether the project is being indexed for the first time. */
  isFirstIndexing(projectPath: string): Promise<boolean>;
  /** Whether a process makes vectors for the project now. */
  isEmbedding(projectPath: string): Promise<boolean>;
  getModelStatus(): ModelStatus;
}
