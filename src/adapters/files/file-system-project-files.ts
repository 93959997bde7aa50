import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { storableText, tailOf } from '../../domain/chunks/text.js';
import { SOURCE_FILE_MAX_BYTES } from '../../domain/limits.js';
import { featuresFolder, memoryFolder } from '../../domain/project-layout.js';
import type {
  FileListing,
  FileReading,
  MarkdownPatterns,
  ProjectFiles,
  Replacement,
  TextFile,
} from '../../ports/driven/project-files.js';
import { decodeText, type Encoding, encodingOf } from './decode-text.js';
import { openInside, RefusedFile } from './inside-project.js';
import { findMarkdown } from './markdown-walk.js';
import { readFolderInside } from './read-folder.js';
import { writeInside } from './write-inside.js';

/** The files of projects in the file system. */
export class FileSystemProjectFiles implements ProjectFiles {
  readonly #appDir: string;

  constructor(appDir: string) {
    this.#appDir = appDir;
  }

  /** Also true for a link; opening the store then refuses it with the reason. */
  async hasApplicationDirectory(projectPath: string): Promise<boolean> {
    const found = await lstat(join(projectPath, this.#appDir)).catch(() => undefined);
    return found !== undefined;
  }

  listFeatures(projectPath: string): Promise<FileListing> {
    return namesIn(projectPath, featuresFolder(this.#appDir));
  }

  async listCategories(projectPath: string): Promise<FileListing> {
    const { paths, unreadable } = await namesIn(projectPath, memoryFolder(this.#appDir));
    const categories = paths.filter((name) => CATEGORY_FILE.test(name));
    return { paths: categories.map((name) => name.slice(0, -3)), unreadable };
  }

  listMarkdown(projectPath: string, patterns: MarkdownPatterns): Promise<FileListing> {
    const skippedFolders = [featuresFolder(this.#appDir), memoryFolder(this.#appDir)];
    return findMarkdown(projectPath, { ...patterns, skippedFolders });
  }

  readText(
    projectPath: string,
    path: string,
    maxBytes = SOURCE_FILE_MAX_BYTES,
  ): Promise<FileReading> {
    return read(projectPath, path, async (handle, size) => {
      if (size > maxBytes) throw new RefusedFile(`it is larger than ${sizeIn(maxBytes)}`);
      const bytes = await readAt(handle, 0, size);
      return decodeText(bytes, encodingOf(bytes));
    });
  }

  readTail(projectPath: string, path: string, characters: number): Promise<FileReading> {
    return read(projectPath, path, async (handle, size) => {
      const encoding = encodingOf(await readAt(handle, 0, 2));
      const start = tailStart(size, characters, encoding);
      const bytes = await readAt(handle, start, size - start);
      const whole = start === 0 ? bytes : fromWholeCharacter(bytes, encoding);
      return tailOf(storableText(decodeText(whole, encoding)), characters);
    });
  }

  async versionOf(projectPath: string, path: string): Promise<string | undefined> {
    try {
      const handle = await openInside(projectPath, path);
      if (handle === undefined) return undefined;
      const stats = await handle.stat({ bigint: true }).finally(() => handle.close());
      return versionFrom(stats);
    } catch (error) {
      if (error instanceof RefusedFile) return undefined;
      throw error;
    }
  }

  writeText(projectPath: string, path: string, text: string): Promise<void> {
    return writeInside(projectPath, path, { content: text });
  }

  async replaceText(
    projectPath: string,
    path: string,
    { text, expectedVersion }: Replacement,
  ): Promise<boolean> {
    if ((await this.versionOf(projectPath, path)) !== expectedVersion) return false;
    await writeInside(projectPath, path, { content: text });
    return true;
  }

  async copy(projectPath: string, from: string, to: string): Promise<void> {
    const handle = await openInside(projectPath, from);
    if (handle === undefined) return;
    try {
      const attributesFrom = await handle.stat();
      await writeInside(projectPath, to, { content: await handle.readFile(), attributesFrom });
    } finally {
      await handle.close();
    }
  }
}

/** Excludes `_index.md`. */
const CATEGORY_FILE = /^[\p{L}\p{N}].*\.md$/u;

function sizeIn(bytes: number): string {
  const megabyte = 1024 * 1024;
  return bytes < megabyte ? `${bytes / 1024} kB` : `${bytes / megabyte} MB`;
}

async function read(
  projectPath: string,
  path: string,
  textIn: (handle: FileHandle, size: number) => Promise<string>,
): Promise<FileReading> {
  try {
    const handle = await openInside(projectPath, path);
    if (handle === undefined) return undefined;
    try {
      const stats = await handle.stat({ bigint: true });
      return textFile(await textIn(handle, Number(stats.size)), versionFrom(stats));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof RefusedFile) return { skipped: error.message };
    throw error;
  }
}

/** At most `length` bytes, however much the file has grown since its size was taken. */
async function readAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function textFile(raw: string, version: string): TextFile {
  const text = storableText(raw);
  return { text, hash: createHash('sha256').update(text).digest('hex'), version };
}

/** Determined before the bytes are read, so that a write during the read leads to a newer version. */
function versionFrom({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** UTF-8 needs at most 3 bytes per UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

/** An even offset at or before the last `characters + 1` characters of a file. */
function tailStart(size: number, characters: number, encoding: Encoding): number {
  const start = Math.max(0, size - (characters + 1) * MAX_BYTES_PER_UNIT);
  return encoding === 'utf8' ? start : start - (start % 2);
}

/** Drops the incomplete character at the start of a tail. */
function fromWholeCharacter(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'utf8') {
    const first = bytes.subarray(0, 4).findIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000);
    return first === -1 ? bytes : bytes.subarray(first);
  }
  const high = bytes[encoding === 'utf16le' ? 1 : 0] ?? 0;
  return (high & 0b1111_1100) === 0b1101_1100 ? bytes.subarray(2) : bytes;
}

async function namesIn(projectPath: string, path: string): Promise<FileListing> {
  const { entries, isKnown } = await readFolderInside(projectPath, path);
  return { paths: entries.map(({ name }) => name).sort(), unreadable: isKnown ? [] : [path] };
}
