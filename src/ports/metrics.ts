import type { ModelCallFailure } from '../domain/errors.js';
import type { RetrievalMode } from '../domain/ranking/search.js';

export interface MeasuredSearch {
  readonly mode: RetrievalMode;
  readonly seconds: number;
  /** Ranked chunks, before the limits of the search. */
  readonly candidates: number;
  /** Chunks within the limits. */
  readonly results: number;
}

/** Tasks of the small language model. */
export type ModelTask = 'questions' | 'summary' | 'lessons';

export type BackgroundWorkName = 'vectors' | 'questions';

export interface MeasuredModelCall {
  readonly task: ModelTask;
  /** How the call ended. Background work retries a failed call later. */
  readonly outcome: 'succeeded' | ModelCallFailure;
  readonly seconds: number;
}

export interface MeasuredEmbedding {
  readonly kind: 'query' | 'batch';
  readonly texts: number;
  readonly seconds: number;
}

/** A request over HTTP. */
export interface MeasuredRequest {
  readonly method: string;
  /** The path of a route, never of a request. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Counts the work of the service, without revealing any project, query or file. Never throws. */
export interface Metrics {
  searched(search: MeasuredSearch): void;
  modelCalled(call: MeasuredModelCall): void;
  /** A step of background work failed and will be retried after a pause. */
  retried(work: BackgroundWorkName): void;
  /** A query or batch starts or stops waiting for the embedding model. */
  embeddingWaits(change: 'begins' | 'ends'): void;
  /** Texts embedded in one call: a query, or a batch of background work. */
  embedded(call: MeasuredEmbedding): void;
}
