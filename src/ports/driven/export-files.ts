/** Text files of a project that are written and read line by line, whatever their size. */
export interface ExportFiles {
  /**
   * Writes a file atomically, only if nothing exists at the path; returns false if something does.
   * The lines are pulled as they are needed. If that fails, no file remains and the error is passed on.
   * @throws KnowledgeError `storage_full`, `store_unavailable`, `path_not_allowed`
   */
  create(projectPath: string, path: string, lines: AsyncIterable<string>): Promise<boolean>;
  /**
   * The lines of a file without their line breaks, read as they are needed.
   * @throws KnowledgeError `not_found` if there is no such file, `not_readable` if it is not a file that
   * may be read, or a line has more than 24 MiB
   */
  lines(projectPath: string, path: string): AsyncIterable<string>;
}
