import type { MarkdownPatterns } from './project-files.js';

/** Which documentation is watched, as the settings of a project say. */
export type WatchedSources = Omit<MarkdownPatterns, 'within'>;

/**
 * Paths, relative to the project, of files that were written, came or went; undefined if any source may have changed.
 * May include paths that did not change.
 */
export type ChangedPaths = readonly string[] | undefined;

/** A project that is being watched. */
export interface SourceWatch {
  /**
   * Changes since the last call, which must have ended. Undefined for the first call and after a change of settings.
   */
  changes(sources: WatchedSources): Promise<ChangedPaths>;
}

/** Notices changes of the sources of projects. */
export interface SourceWatcher {
  /**
   * Whether a directory may be watched and indexed without being asked to: false for the root of the file
   * system, a home directory and its ancestors.
   */
  isProject(projectPath: string): boolean;
  /** Begins to watch the sources of a project. Its memory is freed with the object that it returns. */
  watch(projectPath: string): SourceWatch;
}
