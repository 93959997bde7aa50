import type { Vector } from '../../domain/ranking/vector.js';

/**
 * `absent`: no model here and none to be had (offline, or none wired). `idle`: not asked for yet.
 * `failed`: the last load failed; it is tried again after a pause.
 */
export type EmbedderState = 'absent' | 'idle' | 'loading' | 'ready' | 'failed';

/**
 * Turns text into vectors (specification, "Embedding component"). A long text is cut into windows
 * of at most 254 tokens, stride 127; their vectors, each of length 1, are averaged and scaled to
 * length 1. A vector does not depend on what is embedded with it.
 */
export interface Embedder {
  /** The identifier that is stored with each vector: exactly the configured name of the model. */
  readonly model: string;
  /** Values of a vector. Stores and vector indexes take it from here. */
  readonly dimensions: number;
  /** True when `embed` would return without loading first. */
  isReady(): boolean;
  state(): EmbedderState;
  /** Starts loading the model where it is not loaded; returns at once and never throws. */
  load(): void;
  /**
   * The vector of one short text, ahead of any batch: for queries. Loads the model at the first
   * call; calls made meanwhile wait for the same load. An empty text has a vector too.
   * Aborting `signal` takes the call out of the queue, or stops it soon if it is under way.
   * @throws KnowledgeError `model_unavailable` when the model cannot be loaded, the embedder was closed
   * or the call was aborted; `overloaded` when too many queries are waiting already
   */
  embed(text: string, signal?: AbortSignal): Promise<Vector>;
  /**
   * The vectors of several texts, in their order: for background work, which yields to `embed`.
   * An empty list gives an empty list without loading anything.
   * @throws KnowledgeError `model_unavailable` as `embed` does.
   */
  embedBatch(texts: readonly string[]): Promise<readonly Vector[]>;
  /** Stops work under way, whose calls then reject with `model_unavailable`; idempotent. */
  close(): Promise<void>;
}
