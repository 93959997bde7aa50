import type { ProjectStore } from '../../ports/driven/project-stores.js';

/** A project whose store is open. */
export interface Project {
  /** Canonical. */
  readonly path: string;
  readonly store: ProjectStore;
}

/** A directory as far as it is a project already. */
export interface ReadableProject {
  /** Where its store is, or would be. */
  readonly location: string;
  /** Absent while it has no store. */
  readonly project?: Project;
}
