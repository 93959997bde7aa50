import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, readdir } from 'node:fs/promises';
import { storableText, tailOf } from '../../domain/chunks/text.js';
import { SOURCE_FILE_MAX_BYTES } from '../../domain/limits.js';
import type {
  FileListing,
  FileReading,
  MarkdownPatterns,
  ProjectFiles,
  Replacement,
  TextFile,
} from '../../ports/driven/project-files.js';
import { openInside, RefusedFile, realPathInside } from './inside-project.js';
import { findMarkdown } from './markdown-walk.js';
import { writeInside } from './write-inside.js';

/** The files of projects on disk. */
export class FileSystemProjectFiles implements ProjectFiles {
  readonly #appDir: string;

  constructor(appDir: string) {
    this.#appDir = appDir;
  }

  async listFeatures(projectPath: string): Promise<FileListing> {
    return { paths: await namesIn(projectPath, `${this.#appDir}/features`), unreadable: [] };
  }

  async listCategories(projectPath: string): Promise<FileListing> {
    const names = await namesIn(projectPath, `${this.#appDir}/memory`);
    const categories = names.filter((name) => CATEGORY_FILE.test(name));
    return { paths: categories.map((name) => name.slice(0, -3)), unreadable: [] };
  }

  async listMarkdown(projectPath: string, patterns: MarkdownPatterns): Promise<FileListing> {
    const closed = [`${this.#appDir}/features`, `${this.#appDir}/memory`];
    return { paths: await findMarkdown(projectPath, { ...patterns, closed }), unreadable: [] };
  }

  readText(projectPath: string, path: string): Promise<FileReading> {
    return read(projectPath, path, async (handle, size) => {
      if (size > SOURCE_FILE_MAX_BYTES) throw new RefusedFile('it is larger than 10 MB');
      return handle.readFile();
    });
  }

  async readTail(projectPath: string, path: string, characters: number): Promise<FileReading> {
    const bytes = (characters + 1) * MAX_BYTES_PER_UNIT;
    const reading = await read(projectPath, path, async (handle, size) => {
      const start = Math.max(0, size - bytes);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, start);
      return withoutHalfCharacter(buffer.subarray(0, bytesRead), start);
    });
    if (reading === undefined || 'skipped' in reading) return reading;
    return textFile(tailOf(reading.text, characters), reading.version);
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
    return writeInside(projectPath, path, text);
  }

  async replaceText(
    projectPath: string,
    path: string,
    { text, expectedVersion }: Replacement,
  ): Promise<boolean> {
    if ((await this.versionOf(projectPath, path)) !== expectedVersion) return false;
    await writeInside(projectPath, path, text);
    return true;
  }

  async copy(projectPath: string, from: string, to: string): Promise<void> {
    const handle = await openInside(projectPath, from);
    if (handle === undefined) return;
    const bytes = await handle.readFile().finally(() => handle.close());
    await writeInside(projectPath, to, bytes);
  }
}

/** `_index.md` is none. */
const CATEGORY_FILE = /^[\p{L}\p{N}].*\.md$/u;

/** UTF-8 takes at most 3 bytes for a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

async function read(
  projectPath: string,
  path: string,
  bytesOf: (handle: FileHandle, size: number) => Promise<Buffer>,
): Promise<FileReading> {
  try {
    const handle = await openInside(projectPath, path);
    if (handle === undefined) return undefined;
    try {
      const stats = await handle.stat({ bigint: true });
      const bytes = await bytesOf(handle, Number(stats.size));
      return textFile(bytes.toString('utf8'), versionFrom(stats));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof RefusedFile) return { skipped: error.message };
    throw error;
  }
}

function textFile(raw: string, version: string): TextFile {
  const text = storableText(raw);
  return { text, hash: createHash('sha256').update(text).digest('hex'), version };
}

/** Taken before the bytes are read, so that a write in between shows as a newer version. */
function versionFrom({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** A tail that begins inside a character of UTF-8 loses the rest of it. */
function withoutHalfCharacter(bytes: Buffer, start: number): Buffer {
  const first = bytes.findIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000);
  return start === 0 || first === -1 ? bytes : bytes.subarray(first);
}

/** Sorted by code units, so that every machine goes through them in the same order. */
async function namesIn(projectPath: string, path: string): Promise<readonly string[]> {
  try {
    const real = await realPathInside(projectPath, path);
    return real === undefined ? [] : (await readdir(real)).sort();
  } catch (error) {
    if (error instanceof RefusedFile || isNoDirectory(error)) return [];
    throw error;
  }
}

function isNoDirectory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
}
