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
   * The key of a project, which is given one if it has none. Two processes that open a project for the
   * first time get the same key.
   * @throws KnowledgeError also `storage_full`
   */
  open(projectPath: string): Promise<string>;
}
