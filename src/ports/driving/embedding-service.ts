import type { Vector } from '../../domain/ranking/vector.js';

/** The embedding model, for direct use by a host program (docs/specification.md, "Embedding component"). */
export interface EmbeddingService {
  /** True when the model is loaded, so that `embed` starts at once. */
  isReady(): boolean;
  /**
   * The vector of one text, of length 1. The first call loads the model; calls made meanwhile wait for
   * the same load.
   * @throws KnowledgeError `invalid_request`, `model_unavailable`
   */
  embed(text: string): Promise<Vector>;
  /**
   * The vectors of several texts, in the same order. An empty list loads nothing.
   * @throws KnowledgeError `invalid_request`, `model_unavailable`
   */
  embedBatch(texts: readonly string[]): Promise<readonly Vector[]>;
  /**
   * Cosine similarity, -1 to 1; 0 if either vector is zero.
   * @throws KnowledgeError `invalid_request` for vectors of different dimensions, or with values that are not finite
   */
  cosineSimilarity(a: VectorLike, b: VectorLike): number;
}

/** A vector, as a typed array or a plain list. */
export type VectorLike = Vector | readonly number[];
