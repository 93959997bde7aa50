import type { ModelCallFailure } from '../domain/errors.js';
import type { RetrievalMode } from '../domain/ranking/search.js';

export interface MeasuredSearch {
  readonly mode: RetrievalMode;
  readonly seconds: number;
  /** Ranked chunks, before the limits of the search. */
  readonly candidates: number;
  /** Those within the limits. */
  readonly results: number;
}

/** Tasks of the small language model. */
export type ModelTask = 'questions' | 'summary' | 'lessons';

export type BackgroundWorkName = 'vectors' | 'questions';

export interface MeasuredModelCall {
  readonly task: ModelTask;
  /** A failed call of background work is retried later. */
  readonly outcome: 'succeeded' | ModelCallFailure;
  readonly seconds: number;
}

/**
 * Counts the work of the service. No count reveals a project, query or file. Never
 * throws.
 */
export interface Metrics {
  searched(search: MeasuredSearch): void;
  modelCalled(call: MeasuredModelCall): void;
  /** A step of background work failed, and is tried again after a pause. */
  retried(work: BackgroundWorkName): void;
  /** A query or a batch waits for the embedding model from now on, or does so no longer. */
  embeddingWaits(change: 'begins' | 'ends'): void;
  /** Texts that were turned into vectors in one call: a query, or a batch of the background work. */
  embedded(call: {
    readonly kind: 'query' | 'batch';
    readonly texts: number;
    readonly seconds: number;
  }): void;
}
