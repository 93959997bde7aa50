import type { Vector } from '../domain/ranking/vector.js';

/**
 * `absent`: there is no model, and none can be downloaded (offline, or a variant without a model). `idle`: not
 * requested yet. `failed`: the last load failed and is retried after a pause.
 */
export type EmbedderState = 'absent' | 'idle' | 'loading' | 'ready' | 'failed';

/** `wasm`: in WebAssembly; `native`: by onnxruntime-node, both on this machine; `endpoint`: at an endpoint. */
export type EmbeddingRuntime = 'wasm' | 'native' | 'endpoint';

export interface EmbedderStatus {
  readonly state: EmbedderState;
  /** Why the last load failed, as a sentence; only if the state is `failed` or `absent`. */
  readonly failure?: string | undefined;
  /** Where the model runs; absent if unknown. */
  readonly runtime?: EmbeddingRuntime | undefined;
  /** The approximate speed of embedding in the background. */
  readonly chunksPerSecond?: number | undefined;
  /** Progress of the download of a model file; only if its size is known. */
  readonly download?: DownloadStatus | undefined;
}

export interface DownloadStatus {
  readonly done: number;
  readonly total: number;
}

/**
 * Turns text into vectors (docs/specification.md, "Embedding component"). A long text is cut into windows of at most
 * 254 tokens with a stride of 127. The vectors of the windows, each of length 1, are averaged, and the mean is scaled
 * to length 1. A vector does not depend on the other texts of its batch.
 */
export interface Embedder {
  /** The identifier stored with each vector: the model name exactly as configured. */
  readonly model: string;
  /** Number of values of a vector. Stores and vector indexes use this number. */
  readonly dimensions: number;
  /** True if `embed` need not load the model first. */
  isReady(): boolean;
  /**
   * The vector of one short text, for queries. Does not wait for batches. The first call loads the model; concurrent
   * calls wait for the same load. An empty text has a vector too. Aborting `signal` removes the call from the queue, or
   * stops it soon if it is running.
   * @throws KnowledgeError `model_unavailable` if the model cannot be loaded, the embedder was closed or the call was
   *   aborted; `overloaded` if too many queries are already waiting
   */
  embed(text: string, signal?: AbortSignal): Promise<Vector>;
  /**
   * The vectors of several texts, in the same order, for background work; never delays `embed`. With the role `query`,
   * the vectors equal those of `embed`. An empty list returns an empty list without loading anything.
   * @throws KnowledgeError `model_unavailable` as `embed` does
   * @throws any other error if the model works but refuses one of these texts
   */
  embedBatch(texts: readonly string[], role?: TextRole): Promise<readonly Vector[]>;
}

/** Some models embed queries and passages differently. */
export type TextRole = 'passage' | 'query';

/** A text that every working model accepts. */
export const TRIAL_TEXT = 'A short text that shows whether the model works.';

/** An embedder whose model can be observed, loaded and closed. */
export interface EmbeddingModel extends Embedder {
  status(): EmbedderStatus;
  /**
   * Starts loading the model unless it is loaded; returns immediately and never throws. With `installed`, only if
   * nothing has to be downloaded.
   */
  load(which?: 'any' | 'installed'): void;
  /**
   * Tells the model whether a caller waits for batches, which then use the whole machine. A remote embedder may ignore
   * this.
   */
  hurry?(isWaitedFor: boolean): void;
  /** Stops running calls, which reject with `model_unavailable`; idempotent. */
  close(): Promise<void>;
}
