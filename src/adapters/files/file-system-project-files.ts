import { createHash } from 'node:crypto';
import { type FileHandle, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { storableText, tailOf } from '../../domain/chunks/text.js';
import { SOURCE_FILE_MAX_BYTES } from '../../domain/limits.js';
import type { FileReading, ProjectFiles, TextFile } from '../../ports/driven/project-files.js';
import { openInside, RefusedFile, realPathInside } from './inside-project.js';
import { findMarkdown } from './markdown-walk.js';
import { writeInside } from './write-inside.js';

/** The files of projects on disk. */
export class FileSystemProjectFiles implements ProjectFiles {
  readonly #appDir: string;

  constructor(appDir: string) {
    this.#appDir = appDir;
  }

  /** A link counts too: opening the store refuses it with the reason. */
  async hasApplicationDirectory(projectPath: string): Promise<boolean> {
    const found = await lstat(join(projectPath, this.#appDir)).catch(() => undefined);
    return found !== undefined;
  }

  async listFeatures(projectPath: string): Promise<readonly string[]> {
    return namesIn(projectPath, `${this.#appDir}/features`);
  }

  async listCategories(projectPath: string): Promise<readonly string[]> {
    const names = await namesIn(projectPath, `${this.#appDir}/memory`);
    return names.filter((name) => CATEGORY_FILE.test(name)).map((name) => name.slice(0, -3));
  }

  listMarkdown(
    projectPath: string,
    patterns: { readonly include: readonly string[]; readonly exclude: readonly string[] },
  ): Promise<readonly string[]> {
    const closed = [`${this.#appDir}/features`, `${this.#appDir}/memory`];
    return findMarkdown(projectPath, { ...patterns, closed });
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
    return textFile(tailOf(reading.text, characters));
  }

  writeText(projectPath: string, path: string, text: string): Promise<void> {
    return writeInside(projectPath, path, text);
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
      const bytes = await bytesOf(handle, (await handle.stat()).size);
      return textFile(bytes.toString('utf8'));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof RefusedFile) return { skipped: error.message };
    throw error;
  }
}

function textFile(raw: string): TextFile {
  const text = storableText(raw);
  return { text, hash: createHash('sha256').update(text).digest('hex') };
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
