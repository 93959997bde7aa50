import type { ProjectStore } from '../../ports/driven/project-stores.js';

/** A project whose store is open. */
export interface Project {
  /** Canonical. */
  readonly path: string;
  readonly store: ProjectStore;
}
