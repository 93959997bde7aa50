import type { Project } from '../projects/project.js';

/** Background work that makes a project's chunks easier to find. */
export interface Enrichment {
  /** Says that a project may have chunks to work on; returns at once. Idempotent. */
  wake(project: Project): void;
  /** Ends the work; what is under way is finished or given up without a trace. */
  stop(): Promise<void>;
}
