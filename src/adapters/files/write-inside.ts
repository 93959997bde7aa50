import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { link, lstat, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import { RefusedFile, readOpened, realPathInside } from './inside-project.js';
import { type OpenFolder, openFolder } from './open-folder.js';
import { codeOf, type FileContent, writeNew } from './write-new.js';

export interface NewFile {
  readonly content: FileContent;
  /** Permissions and owner for a file that does not exist yet; default those of any new file. */
  readonly attributesFrom?: Stats;
  /** Permissions of a file that does not exist yet, if there are no `attributesFrom`. */
  readonly mode?: number;
}

/**
 * Writes a file of a project atomically: a temporary file in the same folder is flushed and renamed. An
 * existing file keeps its permissions and, if that is permitted, its owner.
 * @throws KnowledgeError `path_not_allowed` if the path is a link or leads out of the project,
 * `storage_full`, `store_unavailable`
 */
export function writeInside(projectPath: string, path: string, file: NewFile): Promise<void> {
  return orKnowledgeError(`${path} cannot be written`, () =>
    inFolderOf(projectPath, path, async (folder, name) => {
      const existing = await regularFile(folder, name);
      const temporary = await writeTemporary(folder, file, existing);
      await place(folder, temporary, async (from) => rename(from, await folder.at(name)));
    }),
  );
}

/**
 * Writes a file of a project as {@link writeInside} does if nothing exists at the path, or else returns
 * false. The temporary file is linked instead of renamed, because only that fails if the name is taken.
 * @throws KnowledgeError as {@link writeInside} does
 */
export function createInside(projectPath: string, path: string, file: NewFile): Promise<boolean> {
  return orKnowledgeError(`${path} cannot be written`, () =>
    inFolderOf(projectPath, path, async (folder, name) => {
      if ((await regularFile(folder, name)) !== undefined) return false;
      const temporary = await writeTemporary(folder, file, undefined);
      return place(folder, temporary, async (from) => linkOnce(from, await folder.at(name)));
    }),
  );
}

/**
 * Copies the bytes and the permissions of a file of a project as {@link writeInside} writes; does nothing if there is
 * no such file.
 * @throws KnowledgeError as {@link writeInside} does, also if the file may not be read
 */
export async function copyInside(projectPath: string, from: string, to: string): Promise<void> {
  const original = await orKnowledgeError(`${from} cannot be copied`, () =>
    readOriginal(projectPath, from),
  );
  if (original !== undefined) await writeInside(projectPath, to, original);
}

function readOriginal(projectPath: string, path: string): Promise<NewFile | undefined> {
  return readOpened(projectPath, path, async ({ file, stats }) => ({
    content: await file.read(0, Number(stats.size)),
    attributesFrom: file.attributes(),
  }));
}

/**
 * Deletes a file of a project; false if it does not exist.
 * @throws KnowledgeError `path_not_allowed` if the path is a link, a folder or leads out of the project,
 * `store_unavailable`
 */
export function deleteInside(projectPath: string, path: string): Promise<boolean> {
  return orKnowledgeError(`${path} cannot be deleted`, async () => {
    if (realPathInside(projectPath, dirname(path)) === undefined) return false;
    return inFolderOf(projectPath, path, async (folder, name) => {
      if ((await regularFile(folder, name)) === undefined) return false;
      await unlink(await folder.at(name));
      await folder.flush();
      return true;
    });
  });
}

async function inFolderOf<T>(
  projectPath: string,
  path: string,
  work: (folder: OpenFolder, name: string) => Promise<T>,
): Promise<T> {
  const folder = await openFolder(projectPath, dirname(path));
  try {
    return await work(folder, basename(path));
  } finally {
    await folder.close();
  }
}

/** Undefined if nothing has that name. */
async function regularFile(folder: OpenFolder, name: string): Promise<Stats | undefined> {
  const existing = await lstat(await folder.at(name)).catch(() => undefined);
  if (existing !== undefined && !existing.isFile())
    throw new RefusedFile('it is not a regular file');
  return existing;
}

/** Returns the name of a new file in the folder. */
async function writeTemporary(
  folder: OpenFolder,
  { content, attributesFrom, mode }: NewFile,
  existing: Stats | undefined,
): Promise<string> {
  const temporary = `.${randomUUID()}.tmp`;
  try {
    const attributes = existing ?? attributesFrom;
    await writeNew(await folder.at(temporary), content, { attributes, mode });
    return temporary;
  } catch (error) {
    await discard(folder, temporary);
    throw error;
  }
}

/** Puts the temporary file in its place; whatever is left of it is removed. */
async function place<T>(
  folder: OpenFolder,
  temporary: string,
  put: (from: string) => Promise<T>,
): Promise<T> {
  try {
    const result = await put(await folder.at(temporary));
    await folder.flush();
    return result;
  } finally {
    await discard(folder, temporary);
  }
}

async function discard(folder: OpenFolder, temporary: string): Promise<void> {
  await folder
    .at(temporary)
    .then((path) => rm(path, { force: true }))
    .catch(() => undefined);
}

/** False if something has that name. A file system without hard links has no such check, so there is a gap. */
async function linkOnce(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error)))
      throw error;
    await rename(from, to);
    return true;
  }
}

/** @param failure the first half of a sentence: what failed, of which file */
async function orKnowledgeError<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof RefusedFile) {
      throw new KnowledgeError('path_not_allowed', `${failure}: ${cause.message}.`, { cause });
    }
    const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(cause));
    throw isFull
      ? new KnowledgeError(
          'storage_full',
          `${failure}: there is no space left; free some space and try again.`,
          { cause },
        )
      : new KnowledgeError('store_unavailable', `${failure}: ${reasonOf(cause)}`, { cause });
  }
}
