import type { ModelStatus } from '../../../schemas/stats.js';

/** The state of a service, for operators. */
export interface Monitor {
  /** Rejects while the store's server, if it has one, does not answer. */
  readiness(): Promise<Readiness>;
  /** All metrics, in the Prometheus text format. */
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
