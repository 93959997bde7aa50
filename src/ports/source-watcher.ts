import type { MarkdownPatterns } from './project-files.js';

/** Which documentation to watch, according to a project's settings. */
export type WatchedSources = Omit<MarkdownPatterns, 'within'>;

/**
 * Paths, relative to the project, of files written, created or deleted; undefined if any source may have changed. May
 * include unchanged paths.
 */
export type ChangedPaths = readonly string[] | undefined;

/** A project that is being watched. */
export interface SourceWatch {
  /** Changes since the last call, which must have ended. Undefined on the first call and after a change of settings. */
  changes(sources: WatchedSources): Promise<ChangedPaths>;
}

/** Detects changes in the sources of projects. */
export interface SourceWatcher {
  /**
   * Whether a directory may be watched and indexed unasked: false for the root of the file system, and for a home
   * directory and its ancestors.
   */
  isProject(projectPath: string): boolean;
  /** Starts watching the sources of a project. The memory for this is freed with the returned object. */
  watch(projectPath: string): SourceWatch;
}
