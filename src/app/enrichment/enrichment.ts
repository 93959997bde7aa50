import type { Project } from '../project.js';
import type { Refusals } from './refused-texts.js';

/** Background work that makes chunks easier to find. */
export interface Enrichment {
  /** The work on a project; it starts when it is first scheduled. */
  workOn(project: Project): ProjectEnrichment;
  /** Ends waits for the limit on model calls. */
  stop(): void;
}

/** The background work on one project. */
export interface ProjectEnrichment {
  /** Announces that there may be chunks to work on; returns at once. Idempotent. */
  schedule(): void;
  /** Whether there is something to do, or something failed and will be retried. */
  readonly isRunning: boolean;
  /** Whether all remaining work has failed and will be retried later. */
  readonly isRetrying: boolean;
  /** The texts that the models refuse. */
  readonly refusals: Refusals;
  /** Waits until the step in progress has ended. Later calls of `schedule` do nothing. */
  stop(): Promise<void>;
}
