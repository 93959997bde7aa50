import type { ProjectStore } from '../ports/project-stores.js';

/** The request of use cases whose only field is the project. */
export interface ProjectRequest {
  readonly projectPath: string;
}

/** A project with an open store. */
export interface Project {
  /** Absolute and canonical. */
  readonly path: string;
  readonly store: ProjectStore;
}
