import type { AddedRecords } from '../../domain/transfer/records.js';
import type { StoreProblem } from '../driven/store-care.js';

/** How a project's store is. */
export interface Diagnosis {
  /** Whether no problem is left that needs something to be done. */
  readonly healthy: boolean;
  readonly problems: readonly StoreProblem[];
  /** Sentences about what is no problem but worth knowing. */
  readonly notes: readonly string[];
}

/** What was exported. */
export interface ExportReport {
  readonly name: string;
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly bytes: number;
  readonly sources: number;
  readonly chunks: number;
  /** Vectors of chunks and of questions. */
  readonly vectors: number;
}

/** What was imported, in chunks unless stated otherwise. */
export interface ImportReport extends AddedRecords {
  /** In sources. */
  readonly sources: number;
  /** Vectors of chunks and of questions that were missing here. */
  readonly vectors: number;
  /** The model of vectors that were left out, because this service has another one. */
  readonly otherModel?: string;
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
  /**
   * Writes chunks, questions, vectors and counts as JSON lines, from any kind of store.
   * @param name default: the time
   * @throws KnowledgeError `conflict`, `not_found` if there is no store, `storage_full`
   */
  exportStore(projectPath: string, name?: string): Promise<ExportReport>;
  /**
   * Adds what an export holds to a store of any kind; idempotent.
   * @throws KnowledgeError `not_found`, `not_readable` if the file is not an export or is incomplete; what was
   * read until then stays
   */
  importStore(projectPath: string, name: string): Promise<ImportReport>;
}
