/** How to watch the sources of a project, as its settings say. */
export interface WatchedSources {
  /** Whether folders that git or the service ignores are left out. */
  readonly ignore: boolean;
}

/**
 * Paths, relative to the project, of files that were written or removed, and of folders that came, went or
 * were renamed; undefined if any source may have changed. Paths may be reported that did not change.
 */
export type ChangedPaths = readonly string[] | undefined;

/** A project that is being watched. */
export interface SourceWatch {
  /** Ends the watch and frees what it holds. Idempotent; nothing is reported afterwards. */
  stop(): Promise<void>;
}

/** Notices changes of the sources of projects. */
export interface SourceWatcher {
  /**
   * Whether a directory may be watched and indexed without being asked to: false for the root of the file
   * system, a home directory and what contains one.
   */
  isProject(projectPath: string): boolean;
  /**
   * Begins to watch the sources of a project, without waiting. A change is reported within 2 seconds, or
   * later where the system does not tell of changes and the project is large. Never throws: what cannot be
   * watched is compared at intervals.
   * @param onChange must return immediately
   */
  watch(
    projectPath: string,
    sources: WatchedSources,
    onChange: (paths: ChangedPaths) => void,
  ): SourceWatch;
}
