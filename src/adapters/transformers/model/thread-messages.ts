import type { Vector } from '../../../domain/ranking/vector.js';

/** `background` runs at the lowest priority, on systems that have priorities for threads. */
export type ThreadPriority = 'normal' | 'background';

/** What a thread is started with. */
export interface ThreadTask {
  /** The folder that holds `<owner>/<name>`. */
  readonly modelsDirectory: string;
  readonly model: string;
  readonly priority: ThreadPriority;
}

/** What a thread is asked for. Texts are embedded in the order in which they arrive. */
export type ThreadRequest =
  | { readonly kind: 'embed'; readonly id: number; readonly texts: readonly string[] }
  /** Nobody waits for the vectors of this call any more: it is dropped, or stops at its next window. */
  | { readonly kind: 'cancel'; readonly id: number };

/** What a thread reports. After `unloadable` and after `failed` it ends. */
export type ThreadMessage =
  /** The model is loaded; `trial` is what it makes of a short text. */
  | { readonly kind: 'ready'; readonly trial: Vector }
  | { readonly kind: 'unloadable'; readonly reason: string }
  | { readonly kind: 'vectors'; readonly id: number; readonly vectors: readonly Vector[] }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string };
