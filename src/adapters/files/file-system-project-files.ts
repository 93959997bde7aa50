import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
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
} from '../../ports/project-files.js';
import { tailOfFile, textOf } from './decode-text.js';
import { filesBelow, findMarkdown } from './file-lists.js';
import { readFolderInside } from './folder-walk.js';
import { RefusedFile } from './inside-project.js';
import { fileStatOf, isStillAt, openedVersion, readInside } from './read-inside.js';
import {
  copyInside,
  createInside,
  deleteInside,
  replaceInside,
  writeInside,
} from './write-inside.js';

/**
 * The files of projects in the file system. Its calls are made at once, without a thread of their own, which would take
 * five times as long; files are read in the processes that work for the service.
 */
export class FileSystemProjectFiles implements ProjectFiles {
  readonly #appDirs: AppDirectories;

  constructor(appDirs: AppDirectories) {
    this.#appDirs = appDirs;
  }

  async listFolder(projectPath: string, folder: string): Promise<FileListing> {
    const { entries, isKnown } = readFolderInside(projectPath, folder);
    const names = (isLink: boolean) =>
      entries.filter((entry) => entry.isSymbolicLink() === isLink).map(({ name }) => name);
    const paths = [...names(false).sort(), ...names(true).sort()];
    return { paths, unreadable: isKnown ? [] : [folder] };
  }

  async listBelow(projectPath: string, folder: string): Promise<FileListing> {
    return filesBelow(projectPath, folder);
  }

  listMarkdown(projectPath: string, patterns: MarkdownPatterns): Promise<FileListing> {
    const appDir = this.#appDirs.of(projectPath);
    return findMarkdown(projectPath, { ...patterns, appDir });
  }

  async exists(projectPath: string, path: string): Promise<boolean> {
    const absolute = join(projectPath, path);
    if (existsSync(absolute)) return true;
    try {
      return lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
    } catch {
      return true;
    }
  }

  async readText(
    projectPath: string,
    path: string,
    maxBytes = SOURCE_FILE_MAX_BYTES,
  ): Promise<FileReading> {
    return readInside(projectPath, path, (file) => {
      if (file.stats.size > maxBytes)
        throw new RefusedFile(`it is larger than ${sizeIn(maxBytes)}`);
      return textOf(file);
    });
  }

  async readTail(projectPath: string, path: string, characters: number): Promise<FileReading> {
    return readInside(projectPath, path, (file) => tailOfFile(file, characters));
  }

  async statOf(projectPath: string, path: string): Promise<FileStat | SkippedFile | undefined> {
    return fileStatOf(projectPath, path);
  }

  isStill(projectPath: string, path: string, version: string | undefined): boolean {
    return isStillAt(projectPath, path, version);
  }

  writeText(projectPath: string, path: string, text: string): Promise<void> {
    return writeInside(projectPath, path, { content: [text] });
  }

  createText(projectPath: string, path: string, text: string): Promise<boolean> {
    return createInside(projectPath, path, { content: [text] });
  }

  async replaceText(
    projectPath: string,
    path: string,
    { text, expectedVersion }: Replacement,
  ): Promise<boolean> {
    if (expectedVersion === undefined) return this.createText(projectPath, path, text);
    const isExpected = () => openedVersion(projectPath, path) === expectedVersion;
    return isExpected() && replaceInside(projectPath, path, { content: [text], isExpected });
  }

  copy(projectPath: string, from: string, to: string): Promise<void> {
    return copyInside(projectPath, from, to);
  }

  deleteFile(projectPath: string, path: string): Promise<boolean> {
    return deleteInside(projectPath, path);
  }
}

function sizeIn(bytes: number): string {
  const megabyte = 1024 * 1024;
  return bytes < megabyte ? `${bytes / 1024} kB` : `${bytes / megabyte} MB`;
}
