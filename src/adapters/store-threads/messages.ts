import type { ErrorCode } from '../../domain/errors.js';
import type { StoreCall } from '../../ports/driven/forwarding-store.js';

/** What a thread is asked to do. */
export type ThreadRequest =
  /** Opens the store of a project, creating it if needed; the result is its `identity`. */
  | { readonly kind: 'open'; readonly projectPath: string }
  /** Calls a method of a store, which must still be the one with this identity. */
  | (Place & { readonly kind: 'call'; readonly call: StoreCall })
  | { readonly kind: 'release'; readonly projectPath: string }
  | { readonly kind: 'close' };

/** The store of a project, and the `identity` of the file it is kept in. */
export interface Place {
  readonly projectPath: string;
  readonly identity: string;
}

export type MessageToThread =
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly request: ThreadRequest;
      /** The time at which it was sent; the clock of the thread stands still between messages. */
      readonly now: number;
    }
  /** What the function among the arguments of a call returned, or that it failed. */
  | { readonly kind: 'answer'; readonly id: number; readonly value?: unknown; readonly now: number }
  | { readonly kind: 'refusal'; readonly id: number; readonly now: number }
  /** Asks for the next part of a result. */
  | { readonly kind: 'next'; readonly id: number }
  | { readonly kind: 'stopWaiting' };

export type MessageFromThread =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  /** The beginning of a long list, or more of it; a `result` ends it. */
  | { readonly kind: 'part'; readonly id: number; readonly values: readonly unknown[] }
  | { readonly kind: 'failed'; readonly id: number; readonly error: PlainError }
  /** The method calls the function among its arguments. */
  | { readonly kind: 'asked'; readonly id: number }
  /** The call waits for something, so the thread can take another one. */
  | { readonly kind: 'waiting'; readonly id: number }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly message: string;
      readonly fields: unknown;
    };

/** An error as plain data. */
export interface PlainError {
  readonly code?: ErrorCode;
  readonly message: string;
  readonly stack?: string;
}

/** Stands for the function among the arguments of a call, which stays in the main thread. */
export const FUNCTION_ARGUMENT = { kind: 'function of the caller' } as const;

export function isFunctionArgument(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === FUNCTION_ARGUMENT.kind
  );
}

/** What a thread is started with. */
export interface ThreadStart {
  /** `writer` opens and creates stores; a `reader` only opens those that the writer has opened. */
  readonly role: ThreadRole;
  /** What the entry point needs to make its stores. */
  readonly settings: unknown;
  readonly watch: SharedArrayBuffer;
}

export type ThreadRole = 'reader' | 'writer';
