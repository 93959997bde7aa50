import type { ProjectStore } from '../../ports/driven/project-stores.js';

/** A project with an open store. */
export interface Project {
  /** Absolute and canonical. */
  readonly path: string;
  readonly store: ProjectStore;
  /** The path by which the caller opened it, maybe through links; default {@link path}. */
  readonly openedAs?: string;
}

/** A directory that is to be read only, and its project if it is one. */
export interface ReadableProject {
  /** Absolute and canonical. */
  readonly path: string;
  /** Where its store is, or would be created. */
  readonly location: string;
  /** Absent if the directory has no store. */
  readonly project?: Project;
}
