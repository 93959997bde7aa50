import type { MeasuredRequest } from '../../../ports/metrics.js';
import type { ModelStatus } from '../../../schemas/stats.js';

/** The state of a service, for operators. */
export interface Monitor {
  /** Rejects while the database server, if the store uses one, does not respond. */
  readiness(): Promise<Readiness>;
  /** All metrics, in the Prometheus text format. */
  metrics(): Promise<string>;
  served(request: MeasuredRequest): void;
}

interface Readiness {
  /** The number of open stores. A store is open once its schema has been checked. */
  readonly stores: { readonly open: number };
  readonly model: ModelStatus;
}
