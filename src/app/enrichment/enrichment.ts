import type { Project } from '../project.js';
import type { Refusals } from './refused-texts.js';

/** Background work that makes a project's chunks easier to find. */
export interface Enrichment {
  /** Says that a project may have chunks to work on; returns at once. Idempotent. */
  schedule(project: Project): void;
  /** Whether there is something to do for a project, or a failure after which it is tried again. */
  isWorking(projectPath: string): boolean;
  /** The texts of a project that its models refuse. */
  refusals(projectPath: string): Refusals;
  /** Ends the work on a project and forgets it until it is woken again. */
  release(projectPath: string): Promise<void>;
  /** Stops the work. A step in progress is finished or rolled back. */
  stop(): Promise<void>;
}
