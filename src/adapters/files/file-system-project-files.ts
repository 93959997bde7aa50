import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { storableText, tailOf } from '../../domain/chunks/text.js';
import { SOURCE_FILE_MAX_BYTES } from '../../domain/limits.js';
import { ownFolders } from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type {
  FileListing,
  FileReading,
  FileStat,
  MarkdownPatterns,
  ProjectFiles,
  Replacement,
  SkippedFile,
} from '../../ports/driven/project-files.js';
import { CooperativeYield } from './cooperative-yield.js';
import { decodeText, encodingOf } from './decode-text.js';
import { RefusedFile } from './inside-project.js';
import { findMarkdown } from './markdown-walk.js';
import { readFolderInside } from './read-folder.js';
import { fileStatOf, isStillAt, openedVersion, readInside } from './read-inside.js';
import { fromWholeCharacter, tailStart } from './text-tail.js';
import { copyInside, createInside, deleteInside, writeInside } from './write-inside.js';

/** The files of projects in the file system. */
export class FileSystemProjectFiles implements ProjectFiles {
  readonly #appDirs: AppDirectories;
  readonly #cpu = new CooperativeYield();

  constructor(appDirs: AppDirectories) {
    this.#appDirs = appDirs;
  }

  async listFolder(projectPath: string, folder: string): Promise<FileListing> {
    const { entries, isKnown } = await readFolderInside(projectPath, folder);
    return { paths: entries.map(({ name }) => name).sort(), unreadable: isKnown ? [] : [folder] };
  }

  listMarkdown(projectPath: string, patterns: MarkdownPatterns): Promise<FileListing> {
    const appDir = this.#appDirs.of(projectPath);
    return findMarkdown(projectPath, { ...patterns, appDir, skippedFolders: ownFolders(appDir) });
  }

  /** Without a thread of its own for each file: every search asks for all of its results, which takes microseconds. */
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
    await this.#cpu.yieldIfDue();
    return readInside(projectPath, path, async (file, size) => {
      if (size > maxBytes) throw new RefusedFile(`it is larger than ${sizeIn(maxBytes)}`);
      const bytes = await file.read(0, size);
      return decodeText(bytes, encodingOf(bytes));
    });
  }

  async readTail(projectPath: string, path: string, characters: number): Promise<FileReading> {
    await this.#cpu.yieldIfDue();
    return readInside(projectPath, path, async (file, size) => {
      const encoding = encodingOf(await file.read(0, 2));
      const start = tailStart(size, characters, encoding);
      const bytes = await file.read(start, size - start);
      const whole = start === 0 ? bytes : fromWholeCharacter(bytes, encoding);
      return tailOf(storableText(decodeText(whole, encoding)), characters);
    });
  }

  async statOf(projectPath: string, path: string): Promise<FileStat | SkippedFile | undefined> {
    await this.#cpu.yieldIfDue();
    return fileStatOf(projectPath, path);
  }

  async isStill(projectPath: string, path: string, version: string): Promise<boolean> {
    await this.#cpu.yieldIfDue();
    return isStillAt(projectPath, path, version);
  }

  writeText(projectPath: string, path: string, text: string): Promise<void> {
    return writeInside(projectPath, path, { content: text });
  }

  createText(projectPath: string, path: string, text: string): Promise<boolean> {
    return createInside(projectPath, path, { content: text });
  }

  async replaceText(
    projectPath: string,
    path: string,
    { text, expectedVersion }: Replacement,
  ): Promise<boolean> {
    if (openedVersion(projectPath, path) !== expectedVersion) return false;
    await writeInside(projectPath, path, { content: text });
    return true;
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
