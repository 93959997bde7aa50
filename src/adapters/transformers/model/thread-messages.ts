import type { Vector } from '../../../domain/ranking/vector.js';

/** `background` runs at the lowest priority, on systems that support thread priorities. */
export type ThreadPriority = 'normal' | 'background';

/** The start parameters of a thread. */
export interface ThreadTask {
  /** The folder that contains `<owner>/<name>`. */
  readonly modelsDirectory: string;
  readonly model: string;
  readonly priority: ThreadPriority;
}

/** Requests to a thread. Texts are embedded in the order in which they arrive. */
export type ThreadRequest =
  | { readonly kind: 'embed'; readonly id: number; readonly texts: readonly string[] }
  /** The vectors of this call are no longer needed: it is dropped, or stops before its next window. */
  | { readonly kind: 'cancel'; readonly id: number };

/** Messages of a thread. After `unloadable` and after `failed` it ends. */
export type ThreadMessage =
  /** The model is loaded; `trial` is the vector of a short text. */
  | { readonly kind: 'ready'; readonly trial: Vector }
  | { readonly kind: 'unloadable'; readonly reason: string }
  | { readonly kind: 'vectors'; readonly id: number; readonly vectors: readonly Vector[] }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string };
