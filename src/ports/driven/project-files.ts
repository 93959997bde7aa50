import type { SOURCE_FILE_MAX_BYTES } from '../../domain/limits.js';

/** A text file of a project, as it was read. */
export interface TextFile {
  /** Well-formed text: no byte-order mark, no NUL, line ends as in the file. */
  readonly text: string;
  /** Equal exactly where the text is. */
  readonly hash: string;
  /**
   * Changes with every write to the file and costs no reading: made of device, inode, size and the
   * times of the last change in nanoseconds. Opaque; compare it with {@link ProjectFileReader.versionOf}.
   */
  readonly version: string;
}

/** A file that is there but was not read, and why. */
export interface SkippedFile {
  readonly skipped: string;
}

/** `undefined` where there is no such file. */
export type FileReading = TextFile | SkippedFile | undefined;

/** What was found in a folder, as far as it could be read. */
export interface FileListing {
  /** Sorted by code units. */
  readonly paths: readonly string[];
  /**
   * Folders, relative to the project, that are there but could not be read: nothing is known of what
   * lies below them. A folder that does not exist is not among them.
   */
  readonly unreadable: readonly string[];
}

export interface MarkdownPatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * Finds and reads files of a project, which is untrusted input: nothing outside the project is ever
 * read, whatever links say; only regular files of a bounded size are. Paths are relative to the
 * project and use `/`.
 */
export interface ProjectFileReader {
  /** Whether the project has an application directory. */
  hasApplicationDirectory(projectPath: string): Promise<boolean>;
  /**
   * What `<appdir>/features` holds: folders of features, and whatever else lies there. The paths are
   * names, relative to that folder.
   */
  listFeatures(projectPath: string): Promise<FileListing>;
  /** The category files in `<appdir>/memory`. The paths are names without `.md`, relative to that folder. */
  listCategories(projectPath: string): Promise<FileListing>;
  /**
   * Markdown files that match one of `include` and none of `exclude`; hidden folders,
   * `node_modules` and the application directory's features and memory are never among them.
   */
  listMarkdown(projectPath: string, patterns: MarkdownPatterns): Promise<FileListing>;
  /** A whole file of at most `maxBytes`, by default {@link SOURCE_FILE_MAX_BYTES}. */
  readText(projectPath: string, path: string, maxBytes?: number): Promise<FileReading>;
  /** The last `characters` UTF-16 units of a file of any size; one fewer where a pair would be halved. */
  readTail(projectPath: string, path: string, characters: number): Promise<FileReading>;
  /** {@link TextFile.version} as it is now; `undefined` where there is no file that may be read. */
  versionOf(projectPath: string, path: string): Promise<string | undefined>;
}

/** Writes files of a project so that a reader sees the old or the new text and never a mixture. */
export interface ProjectFileWriter {
  /**
   * Writes a file, and the folders above it where they are missing.
   * @throws KnowledgeError `storage_full`, `store_unavailable`, `path_not_allowed`
   */
  writeText(projectPath: string, path: string, text: string): Promise<void>;
  /**
   * Writes a file as {@link writeText} does, but only where it still has the version that its text
   * was made from; `undefined` stands for a file that does not exist. False where it changed since.
   * @throws KnowledgeError as {@link writeText} does
   */
  replaceText(projectPath: string, path: string, replacement: Replacement): Promise<boolean>;
  /**
   * Copies the bytes and the permissions of a file as {@link writeText} writes; nothing where there is no such file.
   * @throws KnowledgeError as {@link writeText} does
   */
  copy(projectPath: string, from: string, to: string): Promise<void>;
}

export interface Replacement {
  readonly text: string;
  readonly expectedVersion: string | undefined;
}

/** The files of projects, to read and to write. */
export interface ProjectFiles extends ProjectFileReader, ProjectFileWriter {}
