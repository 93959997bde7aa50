/** Decides which directories may be served as projects, and which other files may be read. */
export interface ProjectDirectories {
  /**
   * The canonical path of a project directory.
   * @throws KnowledgeError `invalid_request` if the path is not absolute, contains a NUL or is the root of the file
   *   system; `path_not_allowed` if it is outside every allowed root, whether or not it exists; `project_not_found` if
   *   there is no such directory
   */
  resolve(projectPath: string): Promise<string>;
  /**
   * The canonical path of a file, which need not exist; a relative `path` is resolved from the project.
   * @throws KnowledgeError `invalid_request` if it contains a NUL; `path_not_allowed` if it is outside every allowed
   *   root
   */
  resolveFile(projectPath: string, path: string): Promise<string>;
}

/** Finds the project to which a directory belongs. */
export interface ProjectFinder {
  /**
   * The canonical path of this directory or its nearest ancestor with a store; undefined if there is none, or if the
   * path is not absolute. The directory may have been deleted. Never throws.
   */
  findWithStore(directory: string): string | undefined;
}

/** The projects that processes of this user have opened. Neither method throws. */
export interface ProjectHistory {
  /** Records that a process opens a project; idempotent. */
  remember(projectPath: string): void;
  /** The projects whose directory still exists, most recently opened first. */
  list(): readonly RecentProject[];
}

export interface RecentProject {
  /** Absolute. */
  readonly path: string;
  /** When a process last opened the project. */
  readonly usedAt: Date;
}

/**
 * The keys of projects: names that do not depend on where a project is mounted, for stores shared by several machines.
 *
 * Every method may throw KnowledgeError `store_unavailable` or `path_not_allowed`.
 */
export interface ProjectKeys {
  /** The key of a project; undefined if it has none yet. Creates nothing. */
  find(projectPath: string): Promise<string | undefined>;
  /**
   * The key of a project, created if missing. Two processes that open a project for the first time get the same key.
   * @throws KnowledgeError also `storage_full`
   */
  open(projectPath: string): Promise<string>;
}

/** Finds the application directory of a project, elsewhere called `<appdir>`. */
export interface AppDirectories {
  /**
   * The name of the folder, which may not exist yet. Looks at the project each time, so that all processes agree. Never
   * throws.
   * @param projectPath the absolute, canonical path of a directory, which may have been deleted
   */
  of(projectPath: string): string;
}

/** One sentence about a source whose file differs in a linked git worktree; undefined for any other source. */
export type WorktreeText = (sourceFile: string) => string | undefined;
