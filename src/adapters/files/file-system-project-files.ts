import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemErrorCode } from '../../domain/errors.js';
import { SOURCE_FILE_MAX_BYTES } from '../../domain/limits.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type {
  FileListing,
  FileReading,
  FileStat,
  MarkdownPatterns,
  ProjectFiles,
  Replacement,
  SkippedFile,
  TextFile,
} from '../../ports/project-files.js';
import { decodeFile, lineOfTail, tailOfFile } from './decode-text.js';
import { filesBelow, findMarkdown } from './file-lists.js';
import {
  NotAFile,
  type OpenFile,
  OutsideFile,
  RefusedFile,
  readOpened,
  realPathInside,
  unlessUnreadable,
} from './inside-project.js';
import { removeDraftsBelow } from './place-file.js';
import { leftOutLink, readFolderInside } from './read-folder.js';
import { copyInside, createInside, deleteInside, writeInside } from './write-inside.js';

/**
 * The files of projects in the file system. Calls are synchronous, because a separate thread would take five times as
 * long; files are read in the processes that work for the service.
 */
export class FileSystemProjectFiles implements ProjectFiles {
  readonly #appDirs: AppDirectories;

  constructor(appDirs: AppDirectories) {
    this.#appDirs = appDirs;
  }

  async listFolder(projectPath: string, folder: string): Promise<FileListing> {
    const reading = readFolderInside(projectPath, folder);
    const { entries, isKnown } = reading;
    const names = (isLink: boolean) =>
      entries.filter((entry) => entry.isSymbolicLink() === isLink).map(({ name }) => name);
    const paths = [...names(false).sort(), ...names(true).sort()];
    return { paths, unreadable: isKnown ? [] : [folder], ...leftOutLink(folder, reading) };
  }

  async listBelow(projectPath: string, folder: string): Promise<FileListing> {
    return filesBelow(projectPath, folder);
  }

  async removeDrafts(projectPath: string, folders: readonly string[]): Promise<void> {
    for (const folder of folders) removeDraftsBelow(projectPath, folder);
  }

  listMarkdown(projectPath: string, patterns: MarkdownPatterns): Promise<FileListing> {
    const appDir = this.#appDirs.of(projectPath);
    return findMarkdown(projectPath, { ...patterns, appDir });
  }

  async exists(projectPath: string, path: string): Promise<boolean> {
    try {
      const folder = realPathInside(projectPath, dirname(path));
      if (folder === undefined) return false;
      return lstatSync(join(folder, basename(path)), { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      return !(error instanceof OutsideFile);
    }
  }

  async readText(
    projectPath: string,
    path: string,
    maxBytes = SOURCE_FILE_MAX_BYTES,
  ): Promise<FileReading> {
    return readInside(projectPath, path, (file) => {
      if (file.stats.size > maxBytes)
        throw new RefusedFile(`it is larger than ${formatSize(maxBytes)}`);
      return { text: decodeFile(file) };
    });
  }

  async readTail(projectPath: string, path: string, characters: number): Promise<FileReading> {
    return readInside(projectPath, path, (file) => {
      const text = tailOfFile(file, characters);
      const firstLine = lineOfTail(file, text);
      return { text, ...(firstLine !== undefined && { firstLine }) };
    });
  }

  async statOf(projectPath: string, path: string): Promise<FileStat | SkippedFile | undefined> {
    return unlessRefused(() => {
      const real = realPathInside(projectPath, path);
      const stats = real && unlessUnreadable(() => lstatSync(real, { bigint: true }));
      if (!stats) return undefined;
      if (!stats.isFile()) throw new NotAFile();
      return {
        bytes: Number(stats.size),
        version: versionFrom(stats),
        modifiedAt: new Date(Number(stats.mtimeMs)),
      };
    });
  }

  isStill(projectPath: string, path: string, version: string | undefined): boolean {
    try {
      return versionFrom(statSync(join(projectPath, path), { bigint: true })) === version;
    } catch (error) {
      return version === undefined && ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error));
    }
  }

  async writeText(projectPath: string, path: string, text: string): Promise<void> {
    await writeInside(projectPath, path, { content: [text] });
  }

  createText(projectPath: string, path: string, text: string): Promise<boolean> {
    return createInside(projectPath, path, { content: [text] });
  }

  async replaceText(
    projectPath: string,
    path: string,
    { text, expectedVersion, access }: Replacement,
  ): Promise<boolean> {
    if (expectedVersion === undefined) {
      const mode = access === 'owner' ? 0o600 : undefined;
      return createInside(projectPath, path, { content: [text], mode });
    }
    const isExpected = () => openedVersion(projectPath, path) === expectedVersion;
    return isExpected() && writeInside(projectPath, path, { content: [text], isExpected });
  }

  copy(projectPath: string, from: string, to: string): Promise<void> {
    return copyInside(projectPath, from, to);
  }

  deleteFile(projectPath: string, path: string): Promise<boolean> {
    return deleteInside(projectPath, path);
  }
}

/** Reads a file of a project with `read`, or returns the reason why it may not be read. */
function readInside(
  projectPath: string,
  path: string,
  read: (file: OpenFile) => Pick<TextFile, 'text' | 'firstLine'>,
): FileReading {
  const reading = unlessRefused(() =>
    readOpened(projectPath, path, (file) => {
      const { stats } = file;
      const isSettled = isOlderThan(stats, Date.now() - SETTLED_AFTER_MS);
      const found = read(file);
      const hash = createHash('sha256').update(found.text).digest('hex');
      return { ...found, hash, version: versionFrom(stats), isSettled };
    }),
  );
  // A name that is not UTF-8 is listed with replacement characters, by which the file cannot be opened.
  const isMisnamed = reading === undefined && path.includes('\ufffd');
  return isMisnamed ? { skipped: 'its name is not UTF-8: rename it' } : reading;
}

/** A file that changed more recently may change again without getting a new time: FAT records times in steps of 2 s. */
const SETTLED_AFTER_MS = 2000;

function isOlderThan({ mtimeMs, ctimeMs }: BigIntStats, time: number): boolean {
  return Number(mtimeMs) < time && Number(ctimeMs) < time;
}

/** Identifies a state of a file. Determined before reading, so that a write meanwhile leads to a newer version. */
function versionFrom({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** The version of a file of a project; undefined if it does not exist or may not be read. */
function openedVersion(projectPath: string, path: string): string | undefined {
  const version = unlessRefused(() =>
    readOpened(projectPath, path, ({ stats }) => versionFrom(stats)),
  );
  return typeof version === 'string' ? version : undefined;
}

function unlessRefused<T>(work: () => T): T | SkippedFile {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    const isFile = !(error instanceof NotAFile);
    return isFile ? { skipped: error.message } : { skipped: error.message, kind: 'no file' };
  }
}

function formatSize(bytes: number): string {
  const megabyte = 1024 * 1024;
  return bytes < megabyte ? `${bytes / 1024} kB` : `${bytes / megabyte} MB`;
}
