import type { ErrorCode } from '../../domain/errors.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { EmbedderStatus, TextRole } from '../../ports/embedder.js';

/** Requests from a worker to the primary: vectors, or the metrics of all workers as text. */
export type Question =
  | { readonly purpose: 'query'; readonly texts: readonly string[] }
  | {
      readonly purpose: 'batch';
      readonly texts: readonly string[];
      readonly role?: TextRole | undefined;
    }
  | { readonly purpose: 'metrics' };

export interface Answer {
  readonly vectors?: readonly Vector[];
  readonly metrics?: string;
  readonly error?: { readonly code: ErrorCode; readonly sentence: string };
}

export interface ModelState {
  readonly model: string;
  readonly dimensions: number;
  readonly status: EmbedderStatus;
}

/** From a worker to the primary. */
export type WorkerMessage =
  | { readonly kind: 'heartbeat'; readonly rssBytes: number; readonly isBusy: boolean }
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The worker has received the next connection; sent before it reads from that connection. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'load'; readonly which: 'any' | 'installed' | undefined }
  /** Says whether a caller is waiting for batches. */
  | { readonly kind: 'hurry'; readonly isWaitedFor: boolean }
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'abort'; readonly id: number };

/** From the primary to a worker. */
export type PrimaryMessage =
  | { readonly kind: 'model'; readonly state: ModelState }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  /** Sent along with a connection that the primary has accepted. */
  | { readonly kind: 'connection' }
  | { readonly kind: 'stop' };

export const HEARTBEAT_MS = 250;
