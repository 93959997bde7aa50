import type { SOURCE_FILE_MAX_BYTES } from '../domain/limits.js';
import type { Settings } from '../domain/settings.js';

/** The content of a text file of a project. */
export interface TextFile {
  /** Well-formed text without byte-order mark or NUL, with the line endings of the file. */
  readonly text: string;
  /**
   * The line on which `text` begins, counted from 1. Set only by {@link ProjectFileReader.readTail}, and not for a very
   * large file.
   */
  readonly firstLine?: number;
  /** SHA-256 of `text`, in hexadecimal. */
  readonly hash: string;
  /**
   * Changes with every write to the file and is known without reading it, from device, inode, size and modification
   * times in nanoseconds. Opaque; compare it with {@link ProjectFileReader.isStill} or {@link FileStat.version}. All
   * links to a file share it.
   */
  readonly version: string;
  /**
   * Whether the file was unchanged for 2 seconds when read. Every later write then changes `version`, although file
   * systems count time in steps.
   */
  readonly isSettled: boolean;
}

/** Facts about a file that was not opened. */
export interface FileStat {
  readonly bytes: number;
  /** As {@link TextFile.version}; also changes with the file's permissions. */
  readonly version: string;
  readonly modifiedAt: Date;
}

/** A file that exists but was not read, and why. */
export interface SkippedFile {
  readonly skipped: string;
  /** Set if the path is not a file of the project but a folder, a device or a link out of the project. */
  readonly kind?: 'no file';
}

/** `undefined` if the file does not exist. */
export type FileReading = TextFile | SkippedFile | undefined;

/** The paths in a folder, without its unreadable parts. */
export interface FileListing {
  /** Sorted by code units. */
  readonly paths: readonly string[];
  /**
   * Existing folders, relative to the project, that could not be read, so that their contents are unknown. Missing
   * folders are not listed.
   */
  readonly unreadable: readonly string[];
  /** Skipped paths that a user may expect to be listed. */
  readonly leftOut?: readonly LeftOut[];
}

/** A folder (its path ends with `/`), a file, or a pattern that matched no file. */
export interface LeftOut {
  readonly path: string;
  /** One of a few fixed sentences, without a full stop. */
  readonly why: string;
  /**
   * How to include the path, as a sentence without a full stop; empty if impossible. Default: advice to use the setting
   * `ignore` or a pattern.
   */
  readonly remedy?: string;
}

export interface MarkdownPatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether to leave out files that git ignores, nested repositories and worktrees, and build folders. */
  readonly ignore: boolean;
  /** Only files at or below these paths; default all. */
  readonly within?: readonly string[] | undefined;
}

/**
 * Finds and reads files of a project, which is untrusted input: reads nothing outside the project, not even through
 * links, and only regular files of limited size. Paths are relative to the project and use `/`.
 */
export interface ProjectFileReader {
  /** The direct contents of a folder of the project, as names, links last. */
  listFolder(projectPath: string, folder: string): Promise<FileListing>;
  /** The files at any depth below a folder of the project, links last, without hidden files and hidden folders. */
  listBelow(projectPath: string, folder: string): Promise<FileListing>;
  /**
   * Documentation files that match one of `include` and none of `exclude`, except in `node_modules`, in hidden folders
   * that no pattern names, and among the features, memory and saved files of the application directory.
   */
  listMarkdown(projectPath: string, patterns: MarkdownPatterns): Promise<FileListing>;
  /**
   * Whether anything is at a path, readable or not; false below a folder that is missing or leads out of the project.
   */
  exists(projectPath: string, path: string): Promise<boolean>;
  /** A whole file of at most `maxBytes`, by default {@link SOURCE_FILE_MAX_BYTES}. */
  readText(projectPath: string, path: string, maxBytes?: number): Promise<FileReading>;
  /** The last `characters` UTF-16 units of a file of any size; one fewer if that would split a surrogate pair. */
  readTail(projectPath: string, path: string, characters: number): Promise<FileReading>;
  /**
   * The facts about a file that is not opened, or the apparent reason why it may not be read; `undefined` if it does
   * not exist.
   */
  statOf(projectPath: string, path: string): Promise<FileStat | SkippedFile | undefined>;
  /**
   * Whether the file at the path still has this {@link TextFile.version} or, with `undefined`, still does not exist.
   * Synchronous and cheaper than the others, because it does not check again whether the path is inside the project.
   */
  isStill(projectPath: string, path: string, version: string | undefined): boolean;
}

/** Writes files of a project atomically: readers see either the old or the new text. */
export interface ProjectFileWriter {
  /**
   * Writes a file and creates its missing parent folders.
   * @throws KnowledgeError `storage_full`, `store_unavailable`, `path_not_allowed`
   */
  writeText(projectPath: string, path: string, text: string): Promise<void>;
  /**
   * Writes a file as {@link writeText} does, but only if nothing exists at the path; returns false if something does.
   * Of several simultaneous calls, in any processes, at most one returns true.
   * @throws KnowledgeError as {@link writeText} does; `path_not_allowed` also for a link at the path
   */
  createText(projectPath: string, path: string, text: string): Promise<boolean>;
  /**
   * Writes a file as {@link writeText} does, but only if it still has `expectedVersion` or, with `undefined`, does not
   * exist. Otherwise returns false.
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
   * Removes unfinished files that killed writers left in or below these folders; a writer still at work rewrites its
   * file. Never fails.
   */
  removeDrafts(projectPath: string, folders: readonly string[]): Promise<void>;
}

export interface Replacement {
  readonly text: string;
  readonly expectedVersion: string | undefined;
  /** `owner`: only the user may read a newly created file; default: the usual permissions. */
  readonly access?: 'owner';
}

/** Reads and writes the files of projects. */
export interface ProjectFiles extends ProjectFileReader, ProjectFileWriter {}

/** The names of all files of a project, of any type. */
export interface FileNames {
  /**
   * The paths of files and links, relative to the project, with `/`; at most 100,000, in no particular order. Leaves
   * out hidden folders, `node_modules` and the application directory; with `ignore` also files that git ignores, nested
   * repositories and build folders. Does not follow links to folders.
   */
  list(projectPath: string, rules: { readonly ignore: boolean }): Promise<readonly string[]>;
}

/** Where a project's settings come from. */
export interface SettingsSource {
  /** Reads the settings of a project. Never fails: an invalid setting is logged once and gets its default. */
  read(projectPath: string): Promise<Settings>;
}
