/** What was written into the settings of a project. */
export interface SetupReport {
  /** Relative to the project. */
  readonly settingsFile: string;
  /** Names of the settings that were added with the values that were measured to be best. */
  readonly added: readonly string[];
  /** Names of those that the file already had; their values stay. */
  readonly kept: readonly string[];
}

/** Prepares a directory for its first use. */
export interface SetupService {
  /**
   * Writes the recommended settings into `<appdir>/settings.json`. Everything that the file already says
   * stays; idempotent.
   * @throws KnowledgeError `invalid_request`, `path_not_allowed`, `project_not_found`, `storage_full`, and
   * `not_readable` if the file is not a JSON object, which is then left as it is
   */
  writeSettings(projectPath: string): Promise<SetupReport>;
}
