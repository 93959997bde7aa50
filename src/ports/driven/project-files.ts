/** A text file of a project, as it was read. */
export interface TextFile {
  /** Well-formed text: no byte-order mark, no NUL, line ends as in the file. */
  readonly text: string;
  /** Equal exactly where the text is. */
  readonly hash: string;
}

/** A file that is there but was not read, and why. */
export interface SkippedFile {
  readonly skipped: string;
}

/** `undefined` where there is no such file. */
export type FileReading = TextFile | SkippedFile | undefined;

/**
 * Files of a project, which is untrusted input: nothing outside the project is ever read or
 * written, whatever links say; only regular files of a bounded size are read. Paths are relative to
 * the project and use `/`.
 */
export interface ProjectFiles {
  /** Whether the project has an application directory. */
  hasApplicationDirectory(projectPath: string): Promise<boolean>;
  /** What `<appdir>/features` holds, by name, sorted: folders of features, and whatever else lies there. */
  listFeatures(projectPath: string): Promise<readonly string[]>;
  /** Names without `.md` of the category files in `<appdir>/memory`, sorted. */
  listCategories(projectPath: string): Promise<readonly string[]>;
  /**
   * Markdown files that match one of `include` and none of `exclude`, sorted; hidden folders,
   * `node_modules` and the application directory's features and memory are never among them.
   */
  listMarkdown(
    projectPath: string,
    patterns: { readonly include: readonly string[]; readonly exclude: readonly string[] },
  ): Promise<readonly string[]>;
  /** A whole file of at most 10 MB. */
  readText(projectPath: string, path: string): Promise<FileReading>;
  /** The last `characters` UTF-16 units of a file of any size; one fewer where a pair would be halved. */
  readTail(projectPath: string, path: string, characters: number): Promise<FileReading>;
  /**
   * Writes a file so that a reader sees the old or the new text and never a mixture, folders included.
   * @throws KnowledgeError `storage_full`, `store_unavailable`, `path_not_allowed`
   */
  writeText(projectPath: string, path: string, text: string): Promise<void>;
  /**
   * Copies the bytes of a file as {@link writeText} writes; nothing where there is no such file.
   * @throws KnowledgeError as {@link writeText} does
   */
  copy(projectPath: string, from: string, to: string): Promise<void>;
}
