import type { StoreStats, VectorStatus } from '../../domain/stats.js';
import type { EmbedderState } from '../driven/embedder.js';

/** Stats, and whether searches of this project really use vectors. */
export interface KnowledgeStats extends StoreStats {
  readonly enabledHybridRetrieval: boolean;
}

export interface ModelStatus {
  readonly name: string;
  readonly state: EmbedderState;
}

/**
 * Says what a project's store holds and how far its background work is. Reading creates nothing: a
 * directory without an application directory has zeros.
 */
export interface StatusService {
  getStats(projectPath: string): Promise<KnowledgeStats>;
  getEmbeddingStatus(projectPath: string): Promise<VectorStatus>;
  getHypeStatus(projectPath: string): Promise<VectorStatus>;
  getModelStatus(): ModelStatus;
}
