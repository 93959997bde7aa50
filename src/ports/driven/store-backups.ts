/** A copy of a store, in a file. */
export interface BackupFile {
  readonly name: string;
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface RestoredStore {
  /** Number of chunks that the store has now. */
  readonly chunks: number;
  /** Where the former store is kept, relative to the project; absent if there was none. */
  readonly previous?: string;
}

/**
 * Backups of stores that are files, in the application directory of their project.
 *
 * Every method may throw KnowledgeError `store_unavailable`; those that write may also throw
 * `storage_full`. All throw `invalid_request` where stores are not files.
 */
export interface StoreBackups {
  /**
   * Copies the store while it is in use: the copy is one committed state.
   * @throws KnowledgeError `conflict` if there is a backup of this name, `not_found` if there is no store,
   * `schema_too_new`
   */
  backup(projectPath: string, name: string): Promise<BackupFile>;
  /**
   * Puts a copy of the backup in the place of the store, whose file is kept. The backup is checked first;
   * nothing changes if it cannot be used. What other processes write meanwhile may be lost.
   * @throws KnowledgeError `not_found`, `not_readable` if the backup is damaged, or was not made by this service
   */
  restore(projectPath: string, name: string): Promise<RestoredStore>;
  /** Sorted by name. */
  list(projectPath: string): Promise<readonly BackupFile[]>;
}
