import type { Vector } from '../../../domain/ranking/vector.js';

/** `background` gives way to everything else on the machine, where the system can do that for a thread. */
export type ThreadPriority = 'normal' | 'background';

/** What a thread is started with. */
export interface ThreadTask {
  /** The folder that holds `<owner>/<name>`. */
  readonly modelsDirectory: string;
  readonly model: string;
  readonly priority: ThreadPriority;
}

/** Asks a thread for the vectors of texts; answered in the order of asking. */
export interface EmbedRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

/** What a thread says. After `unloadable` and after `failed` it ends. */
export type ThreadMessage =
  /** The model is loaded; `trial` is what it makes of a short text. */
  | { readonly kind: 'ready'; readonly trial: Vector }
  | { readonly kind: 'unloadable'; readonly reason: string }
  | { readonly kind: 'vectors'; readonly id: number; readonly vectors: readonly Vector[] }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string };
