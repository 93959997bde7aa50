import type { SOURCE_FILE_MAX_BYTES } from '../domain/limits.js';
import type { Settings } from '../domain/settings.js';

/** The content of a text file of a project. */
export interface TextFile {
  /** Well-formed text without byte-order mark or NUL; line endings as in the file. */
  readonly text: string;
  /**
   * The line of the file in which `text` begins, counted from 1; of {@link ProjectFileReader.readTail}, and absent for
   * a very large file.
   */
  readonly firstLine?: number;
  /** SHA-256 of `text`, in hexadecimal. */
  readonly hash: string;
  /**
   * Changes with every write to the file and is known without reading it: made of device, inode, size
   * and the times of the last change in nanoseconds. Opaque; compare it with
   * {@link ProjectFileReader.isStill} or {@link FileStat.version}. The same for each link to a file.
   */
  readonly version: string;
  /**
   * Whether the file had not changed for 2 seconds when it was read, so that every later write leads to another
   * `version`: file systems count time in steps.
   */
  readonly isSettled: boolean;
}

/** Facts about a file that was not opened. */
export interface FileStat {
  readonly bytes: number;
  /** The {@link TextFile.version}; also changes with the permissions of the file. */
  readonly version: string;
  readonly modifiedAt: Date;
}

/** A file that exists but was not read, and why. */
export interface SkippedFile {
  readonly skipped: string;
  /** Set if the path is not a file of the project but a folder, a device or a link that leads out. */
  readonly kind?: 'no file';
}

/** `undefined` if the file does not exist. */
export type FileReading = TextFile | SkippedFile | undefined;

/** The contents of a folder, without its unreadable parts. */
export interface FileListing {
  /** Sorted by code units. */
  readonly paths: readonly string[];
  /**
   * Folders, relative to the project, that exist but could not be read: nothing is known about what is
   * below them. A folder that does not exist is not listed.
   */
  readonly unreadable: readonly string[];
  /** Skipped parts that a user may miss. */
  readonly leftOut?: readonly LeftOut[];
}

/** A folder, whose path ends with `/`, a file of documentation, or a pattern that matched none. */
export interface LeftOut {
  readonly path: string;
  /** One of a few sentences without a full stop. */
  readonly why: string;
  /**
   * How to include it, as a sentence without a full stop; empty if that is impossible. Default: the setting `ignore`,
   * or a pattern.
   */
  readonly remedy?: string;
}

export interface MarkdownPatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether files that git ignores, nested repositories and worktrees, and build folders are left out. */
  readonly ignore: boolean;
  /** Only files at or below these paths; default all. */
  readonly within?: readonly string[] | undefined;
}

/**
 * Finds and reads files of a project, which is untrusted input: nothing outside the project is ever
 * read, not even through links, and only regular files of a bounded size are read. Paths are relative
 * to the project and use `/`.
 */
export interface ProjectFileReader {
  /** The direct contents of a folder of the project, links last. The paths are names, relative to that folder. */
  listFolder(projectPath: string, folder: string): Promise<FileListing>;
  /** The files at any depth below a folder of the project, links last, without hidden files and hidden folders. */
  listBelow(projectPath: string, folder: string): Promise<FileListing>;
  /**
   * Documentation files that match one of `include` and none of `exclude`; hidden folders, `node_modules` and the
   * application directory's features, memory and saved files are never among them. A folder that a pattern names is
   * searched all the same.
   */
  listMarkdown(projectPath: string, patterns: MarkdownPatterns): Promise<FileListing>;
  /**
   * Whether anything is at a path, readable or not; false below a folder that does not exist or leads out of the
   * project.
   */
  exists(projectPath: string, path: string): Promise<boolean>;
  /** A whole file of at most `maxBytes`, by default {@link SOURCE_FILE_MAX_BYTES}. */
  readText(projectPath: string, path: string, maxBytes?: number): Promise<FileReading>;
  /** The last `characters` UTF-16 units of a file of any size; one fewer if a surrogate pair would be cut in half. */
  readTail(projectPath: string, path: string, characters: number): Promise<FileReading>;
  /**
   * What is known of a file without opening it; why it may not be read, as far as that shows; `undefined` if it
   * does not exist.
   */
  statOf(projectPath: string, path: string): Promise<FileStat | SkippedFile | undefined>;
  /**
   * Whether there is still the file at the path that was read there, with this {@link TextFile.version}; with
   * `undefined`, whether there is still none. Synchronous and cheaper than the others: it was inside the project then,
   * so where it is now is not looked at.
   */
  isStill(projectPath: string, path: string, version: string | undefined): boolean;
}

/** Writes files of a project atomically: a reader sees either the old or the new text. */
export interface ProjectFileWriter {
  /**
   * Writes a file, and creates missing folders above it.
   * @throws KnowledgeError `storage_full`, `store_unavailable`, `path_not_allowed`
   */
  writeText(projectPath: string, path: string, text: string): Promise<void>;
  /**
   * Writes a file as {@link writeText} does, but only if nothing exists at the path; returns false if
   * something does. Of two calls at the same time, in any processes, at most one returns true.
   * @throws KnowledgeError as {@link writeText} does; `path_not_allowed` also for a link at the path
   */
  createText(projectPath: string, path: string, text: string): Promise<boolean>;
  /**
   * Writes a file as {@link writeText} does, but only if it still has `expectedVersion`, where
   * `undefined` means that it must not exist. Returns false if it has changed since.
   * @throws KnowledgeError as {@link writeText} does
   */
  replaceText(projectPath: string, path: string, replacement: Replacement): Promise<boolean>;
  /**
   * Copies the bytes and the permissions of a file, atomically like {@link writeText}; does nothing if
   * the file does not exist.
   * @throws KnowledgeError as {@link writeText} does
   */
  copy(projectPath: string, from: string, to: string): Promise<void>;
  /**
   * Deletes a file; returns false if it does not exist.
   * @throws KnowledgeError as {@link writeText} does; `path_not_allowed` also for a link or a folder
   */
  deleteFile(projectPath: string, path: string): Promise<boolean>;
  /**
   * Removes the unfinished files that killed writers have left in these folders and below; a writer that is still at
   * work writes its file again. Never fails.
   */
  removeDrafts(projectPath: string, folders: readonly string[]): Promise<void>;
}

export interface Replacement {
  readonly text: string;
  readonly expectedVersion: string | undefined;
  /** `owner`: only the user may read a file that is created; default: as any new file. */
  readonly access?: 'owner';
}

/** Reads and writes the files of projects. */
export interface ProjectFiles extends ProjectFileReader, ProjectFileWriter {}

/** The names of all files of a project, of any type. */
export interface FileNames {
  /**
   * The paths of files and of links, relative to the project, with `/`; at most 100,000, in no particular order. Hidden
   * folders, `node_modules` and the application directory are left out, and with `ignore` also what git ignores, nested
   * repositories and build folders. No link to a folder is followed.
   */
  list(projectPath: string, rules: { readonly ignore: boolean }): Promise<readonly string[]>;
}

/** Where a project's settings come from. */
export interface SettingsSource {
  /** Never fails: a setting that cannot be read is logged once and has its default. */
  read(projectPath: string): Promise<Settings>;
}
