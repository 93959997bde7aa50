/** Decides which directories may be served as projects, and which files beside them may be read. */
export interface ProjectDirectories {
  /**
   * The canonical path of a project directory.
   * @throws KnowledgeError `invalid_request` when the path is not absolute or contains a NUL,
   * `path_not_allowed` when it lies outside every allowed root, whether or not it exists,
   * `project_not_found` when there is no such directory
   */
  resolve(projectPath: string): Promise<string>;
  /**
   * The canonical path of a file, which need not exist; a relative `path` begins in the project.
   * @throws KnowledgeError `invalid_request` when it contains a NUL, `path_not_allowed` when it lies outside every allowed root
   */
  resolveFile(projectPath: string, path: string): Promise<string>;
}
