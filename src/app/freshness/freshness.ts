import type { FirstIndexing } from '../../domain/search.js';
import type { Project } from '../projects/project.js';

/** Keeps the index of projects in step with their files, without being asked to. */
export interface Freshness {
  /** Says that a project is in use: from now on its sources are watched. Returns at once; idempotent. */
  use(project: Project): void;
  /**
   * Says that a project was searched. The first search of a project that was never indexed starts that in the
   * background; returns whether this first indexing was started, or is running. Never throws.
   */
  searched(project: Project): Promise<FirstIndexing | undefined>;
  /** Which of these source files were indexed from files that are gone, and must not be shown. Never throws. */
  goneAmong(project: Project, sourceFiles: readonly string[]): Promise<readonly string[]>;
  /** Ends the watch of a project until it is used again. */
  release(projectPath: string): Promise<void>;
  /** Ends everything; what is under way is finished first. */
  stop(): Promise<void>;
}
