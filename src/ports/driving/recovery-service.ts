/** Something that is wrong with a store. */
export interface StoreProblem {
  /** What is wrong, as a sentence. */
  readonly problem: string;
  /** What was done about it, or what a person can do, as a sentence. */
  readonly advice: string;
  readonly state: 'mended' | 'mendable' | 'manual' | 'damaged';
}

/** How a project's store is. */
export interface Diagnosis {
  /** Whether no problem is left that needs something to be done. */
  readonly healthy: boolean;
  readonly problems: readonly StoreProblem[];
  /** Sentences about what is no problem but worth knowing. */
  readonly notes: readonly string[];
}

/**
 * What a user needs when something went wrong, or before it does (docs/when-it-breaks.md). Every file is
 * in the application directory of the project, beside the database.
 *
 * Every method may throw KnowledgeError `invalid_request`, `path_not_allowed`, `project_not_found`.
 */
export interface RecoveryService {
  /**
   * Says what is wrong with a project's store; changes nothing, except that a store that is open is brought up
   * to date.
   */
  examine(projectPath: string): Promise<Diagnosis>;
  /**
   * Repairs what is derived: indexes, orphaned and unusable vectors, leftover files. A database that cannot
   * be read is set aside, and the sources are read again.
   */
  repair(projectPath: string): Promise<Diagnosis>;
}
