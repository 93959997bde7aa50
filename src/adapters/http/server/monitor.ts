import type { ModelStatus } from '../../../schemas/stats.js';

/** The state of a service, for operators. */
export interface Monitor {
  /** Rejects while the server of the store, which only some stores have, does not answer. */
  readiness(): Promise<Readiness>;
  /** Everything that was counted, in the text format of Prometheus. */
  metrics(): Promise<string>;
  served(request: ServedRequest): void;
}

interface Readiness {
  /** A store is open once its schema has been checked. */
  readonly stores: { readonly open: number };
  readonly model: ModelStatus;
}

export interface ServedRequest {
  readonly method: string;
  /** The path of a route, never of a request. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}
