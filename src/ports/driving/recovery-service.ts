import type { ImportCounts } from '../chunk-import.js';

/** Something worth knowing about the store of a project. */
export interface Finding {
  /**
   * Of the store: `damaged`, `index_outdated`, `left_out`. `unusable`: it cannot be opened. `vectors_missing`,
   * `questions_missing`: chunks that wait for theirs. `not_compared`: vectors cannot be compared here. `not_read`: a
   * source. `other_folders`: several folders look like the application directory. `no_store`: nothing was indexed yet.
   */
  readonly code:
    | 'damaged'
    | 'index_outdated'
    | 'left_out'
    | 'unusable'
    | 'vectors_missing'
    | 'questions_missing'
    | 'not_compared'
    | 'not_read'
    | 'other_folders'
    | 'no_store';
  readonly sentence: string;
  /** Whether the call that returned it has repaired it. */
  readonly repaired?: true;
}

export interface Diagnosis {
  /** Whether nothing is left that a repair or a person has to do. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/**
 * What a user needs when something went wrong, or moves to another store (docs/when-it-breaks.md).
 *
 * Every method may throw KnowledgeError `invalid_request`, `path_not_allowed`, `project_not_found`.
 */
export interface RecoveryService {
  /** Says what is wrong with a project's store, and what is missing; changes nothing. */
  examine(projectPath: string): Promise<Diagnosis>;
  /** Rebuilds an index that is wrong; sets a damaged database aside, and indexes the sources again. */
  repair(projectPath: string): Promise<Diagnosis>;
  /**
   * Adds the chunks, vectors, questions and counts of a database to a project's store of any kind. A source whose file
   * differs is left to the next ingestion. Idempotent.
   * @param databasePath absolute or relative to the project
   * @throws KnowledgeError `not_found`, `not_readable` if it is not a database, `storage_full`
   */
  importDatabase(projectPath: string, databasePath: string): Promise<ImportCounts>;
}
