import { fstatSync, lstatSync, renameSync, type Stats, unlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { KnowledgeError, systemErrorCode, writeFailure } from '../../domain/errors.js';
import { bytesAt, RefusedFile, readOpened, realPathInside } from './inside-project.js';
import { type OpenFolder, openFolder } from './open-folder.js';
import { linkOnce, type NewFile, place } from './place-file.js';

/** A file to write. `isExpected` is called right before the rename; if it returns false, the file is not written. */
interface WrittenFile extends NewFile {
  readonly isExpected?: () => boolean;
}

/**
 * Writes a file of a project atomically: a temporary file in the same folder is flushed and renamed. Returns false if
 * `isExpected` does. An existing file keeps its permissions and, if that is permitted, its owner. Only microseconds
 * pass between the last check and the rename.
 * @throws KnowledgeError `path_not_allowed` if the path is a link or leads out of the project, `storage_full`,
 *   `store_unavailable`, `invalid_request` if a file is in the place of a folder
 */
export function writeInside(
  projectPath: string,
  path: string,
  { isExpected = () => true, ...file }: WrittenFile,
): Promise<boolean> {
  return orKnowledgeError(`${path} cannot be written`, () =>
    withFolder(projectPath, path, async (folder, name) => {
      const attributesFrom = regularFile(folder, name) ?? file.attributesFrom;
      return place(folder, { ...file, attributesFrom }, (from) => {
        if (!isExpected()) return false;
        renameSync(from, folder.at(name));
        return true;
      });
    }),
  );
}

/**
 * Creates a file of a project. Returns false if the path is taken. The temporary file is linked, not renamed, because
 * only linking fails if the name is taken.
 * @throws KnowledgeError as {@link writeInside} does
 */
export function createInside(projectPath: string, path: string, file: NewFile): Promise<boolean> {
  return orKnowledgeError(`${path} cannot be written`, () =>
    withFolder(projectPath, path, async (folder, name) => {
      if (regularFile(folder, name) !== undefined) return false;
      return place(folder, file, (from) => linkOnce(from, folder.at(name)));
    }),
  );
}

/**
 * Copies the bytes of a file of a project, and its permissions if the target is new, as {@link writeInside} writes.
 * Does nothing if there is no such file.
 * @throws KnowledgeError as {@link writeInside} does, also if the file may not be read
 */
export async function copyInside(projectPath: string, from: string, to: string): Promise<void> {
  const original = await orKnowledgeError(`${from} cannot be copied`, async () =>
    readOpened(projectPath, from, (file) => ({
      content: [bytesAt(file, 0, Number(file.stats.size))],
      attributesFrom: fstatSync(file.descriptor),
    })),
  );
  if (original !== undefined) await writeInside(projectPath, to, original);
}

/**
 * Deletes a file of a project; false if it does not exist.
 * @throws KnowledgeError `path_not_allowed` if the path is a link, a folder or leads out of the project,
 * `store_unavailable`
 */
export function deleteInside(projectPath: string, path: string): Promise<boolean> {
  return orKnowledgeError(`${path} cannot be deleted`, async () => {
    if (realPathInside(projectPath, dirname(path)) === undefined) return false;
    return withFolder(projectPath, path, async (folder, name) => {
      if (regularFile(folder, name) === undefined) return false;
      unlinkSync(folder.at(name));
      folder.flush();
      return true;
    });
  });
}

async function withFolder<T>(
  projectPath: string,
  path: string,
  work: (folder: OpenFolder, name: string) => Promise<T>,
): Promise<T> {
  const folder = openFolder(projectPath, dirname(path));
  try {
    return await work(folder, basename(path));
  } finally {
    folder.close();
  }
}

/** The attributes of a file; undefined if nothing has this name. @throws RefusedFile if it is not a regular file */
function regularFile(folder: OpenFolder, name: string): Stats | undefined {
  const existing = lstatSync(folder.at(name), { throwIfNoEntry: false });
  if (existing?.isFile() === false) throw new RefusedFile('it is not a regular file');
  return existing;
}

/** @param failure the first half of a sentence: the failed action and its file */
async function orKnowledgeError<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof RefusedFile) {
      throw new KnowledgeError('path_not_allowed', `${failure}: ${cause.message}.`, { cause });
    }
    if (cause instanceof KnowledgeError || systemErrorCode(cause) === '') throw cause;
    if (systemErrorCode(cause) === 'ENOTDIR') {
      throw new KnowledgeError('invalid_request', `${failure}: ${NO_FOLDER}`, { cause });
    }
    if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(systemErrorCode(cause))) {
      throw new KnowledgeError('storage_full', `${failure}: ${NO_SPACE}`, { cause });
    }
    const reason = writeFailure(cause, 'its folder');
    throw new KnowledgeError('store_unavailable', `${failure}: ${reason}.`, { cause });
  }
}

const NO_FOLDER = 'a file is where its folder would be.';
const NO_SPACE = 'there is no space left; free some space and try again.';
