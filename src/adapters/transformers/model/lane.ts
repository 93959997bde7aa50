import { errorReason, KnowledgeError } from '../../../domain/errors.js';
import type { Vector } from '../../../domain/ranking/vector.js';
import {
  type Deferred,
  type EmbedRequest,
  ModelRunError,
  type ModelThread,
  type ThreadPriority,
} from './model-thread.js';

/** A slot for one thread, which need not be loaded. */
export interface Lane {
  readonly priority: ThreadPriority;
  thread: ModelThread | undefined;
  isLoading: boolean;
  isBusy: boolean;
  /** A retired lane gets no more texts. */
  isRetired: boolean;
}

/** A text that waits for its vector. */
export interface Task {
  readonly request: EmbedRequest;
  readonly vector: Deferred<Vector>;
}

export function newLane(priority: ThreadPriority): Lane {
  return { priority, thread: undefined, isLoading: false, isBusy: false, isRetired: false };
}

/** Whether no thread is loaded or being loaded. */
export function isIdle({ thread, isLoading }: Lane): boolean {
  return thread === undefined && !isLoading;
}

/**
 * The error for the caller of a task. A passage may itself make a loaded model fail, so its ModelRunError is passed on;
 * every other error becomes `model_unavailable`.
 */
export function embeddingError({ request }: Task, error: unknown): Error {
  if (request.role === 'passage' && error instanceof ModelRunError) return error;
  return modelFailure(`${errorReason(error)}; try again`, error);
}

export function modelFailure(reason: string, cause?: unknown): KnowledgeError {
  const message = `The embedding model failed: ${reason}.`;
  return new KnowledgeError('model_unavailable', message, { cause });
}
