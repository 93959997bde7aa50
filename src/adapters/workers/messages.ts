import type { ErrorCode } from '../../domain/errors.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { EmbedderStatus } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import type { MethodKind, ServiceName } from '../../ports/driving/service-methods.js';

/** `owner`: also does the work that nobody waits for: watching files, vectors, questions. */
export type WorkerRole = 'owner' | 'reader';

/** A call of a driving port. The first argument is the path of a project. */
export interface ServiceCall {
  readonly service: ServiceName;
  readonly method: string;
  readonly kind: MethodKind;
  readonly args: readonly unknown[];
  /** Whether the last argument also takes `onProgress` and `signal`. */
  readonly isTracked?: true;
}

/** What the pool itself asks of a worker. */
export type PoolRequest =
  /** Continues the background work of a project. */
  | { readonly name: 'wake'; readonly projectPath: string }
  /** Closes the store of a project. */
  | { readonly name: 'release'; readonly projectPath: string }
  /** Counts the stores in use. */
  | { readonly name: 'totals' }
  /** Rejects if the server of the store cannot be used. */
  | { readonly name: 'checkStore' };

export interface StartMessage {
  readonly kind: 'start';
  readonly role: WorkerRole;
  /** What the entry point of the worker needs to compose its core. */
  readonly settings: unknown;
  readonly model: ModelState;
}

export interface ModelState extends EmbedderStatus {
  readonly name: string;
  readonly dimensions: number;
}

/** From the service to a worker. */
export type ToWorker =
  | StartMessage
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly call: ServiceCall;
      /** On the clock of `process.hrtime`, which all processes of a machine share. */
      readonly sentMs: number;
    }
  | { readonly kind: 'request'; readonly id: number; readonly request: PoolRequest }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'model'; readonly model: ModelState }
  /** The result of what the worker asked for: vectors, or nothing. */
  | { readonly kind: 'reply'; readonly id: number; readonly result: Result }
  | { readonly kind: 'stopWaiting' }
  | { readonly kind: 'stop' };

/** What a worker asks of the service. */
export type WorkerRequest =
  | {
      readonly name: 'embed';
      readonly texts: readonly string[];
      readonly purpose: 'query' | 'batch';
    }
  /** Makes all other workers close the store of a project until `endClaim`. */
  | { readonly name: 'claim'; readonly projectPath: string }
  | { readonly name: 'endClaim'; readonly projectPath: string };

/** From a worker to the service. */
export type FromWorker =
  | { readonly kind: 'ready' }
  /** A sign of life. */
  | {
      readonly kind: 'beat';
      readonly utilization: number;
      readonly rssBytes: number;
      readonly counted: readonly Counted[];
    }
  /** A call that must not be run twice is run from now on. */
  | { readonly kind: 'begun'; readonly id: number }
  /** A call arrived so late that the service may have given it to another worker; it was not run. */
  | { readonly kind: 'late'; readonly id: number }
  | {
      readonly kind: 'result';
      readonly id: number;
      readonly result: Result;
      readonly counted: readonly Counted[];
    }
  | { readonly kind: 'progress'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'ask'; readonly id: number; readonly request: WorkerRequest }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'loadModel' }
  /** The canonical path of a project. */
  | { readonly kind: 'project'; readonly projectPath: string; readonly path: string }
  | {
      readonly kind: 'log';
      readonly level: keyof Logger;
      readonly message: string;
      readonly fields: Readonly<Record<string, unknown>>;
    };

/** A call of the metrics of the service. */
export interface Counted {
  readonly name: keyof Metrics;
  readonly args: readonly unknown[];
}

export type Result = { readonly value: unknown } | { readonly error: PlainError };

export type Vectors = readonly Vector[];

/** An error as plain data. */
export interface PlainError {
  readonly code?: ErrorCode;
  readonly message: string;
  readonly stack?: string;
}
