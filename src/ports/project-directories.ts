/** Decides which directories may be served as projects, and which files beside them may be read. */
export interface ProjectDirectories {
  /**
   * The canonical path of a project directory.
   * @throws KnowledgeError `invalid_request` when the path is not absolute, contains a NUL or is the root of
   * all files, `path_not_allowed` when it lies outside every allowed root, whether or not it exists,
   * `project_not_found` when there is no such directory
   */
  resolve(projectPath: string): Promise<string>;
  /**
   * The canonical path of a file, which need not exist; a relative `path` begins in the project.
   * @throws KnowledgeError `invalid_request` when it contains a NUL, `path_not_allowed` when it lies outside every
   *   allowed root
   */
  resolveFile(projectPath: string, path: string): Promise<string>;
}

/** Finds the project that a directory belongs to. */
export interface ProjectFinder {
  /**
   * The canonical path of the nearest directory upwards that has a store; undefined if there is none, and for a path
   * that is not absolute. The directory need not exist any more. Never throws.
   */
  findWithStore(directory: string): string | undefined;
}

/** The projects that processes of this user have opened. Neither method throws. */
export interface ProjectHistory {
  /** Notes that a process opens a project; idempotent. */
  remember(projectPath: string): void;
  /** The projects whose directory still exists, most recently opened first. */
  list(): readonly RecentProject[];
}

export interface RecentProject {
  /** Absolute. */
  readonly path: string;
  /** When a process last opened it. */
  readonly usedAt: Date;
}

/**
 * The keys of projects: names that stay the same wherever a project is mounted, for stores that several
 * machines share.
 *
 * Every method may throw KnowledgeError `store_unavailable`, `path_not_allowed`.
 */
export interface ProjectKeys {
  /** The key of a project; undefined if it has none yet. Creates nothing. */
  find(projectPath: string): Promise<string | undefined>;
  /**
   * The key of a project; creates one if it is missing. Two processes that open a project for the
   * first time get the same key.
   * @throws KnowledgeError also `storage_full`
   */
  open(projectPath: string): Promise<string>;
}

/** Says which folder of a project is its application directory, `<appdir>` elsewhere. */
export interface AppDirectories {
  /**
   * The name of the folder, which exists or is to be created. Looks at the project each time, so that all processes
   * agree. Never throws.
   * @param projectPath the absolute, canonical path of a directory, which need not exist any more
   */
  of(projectPath: string): string;
}

/** One sentence about a source whose file differs in a linked git worktree; undefined for any other. */
export type WorktreeText = (sourceFile: string) => string | undefined;
