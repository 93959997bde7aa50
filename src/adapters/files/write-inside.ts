import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import { RefusedFile } from './inside-project.js';
import { type OpenFolder, openFolder } from './open-folder.js';

export interface NewFile {
  readonly content: string | Buffer;
  /** Permissions and owner for a file that does not exist yet; default those of any new file. */
  readonly attributesFrom?: Stats;
}

/**
 * Writes a file of a project atomically: a temporary file in the same folder is flushed and renamed. An
 * existing file keeps its permissions and, if that is permitted, its owner.
 * @throws KnowledgeError `path_not_allowed` if the path is a link or leads out of the project,
 * `storage_full`, `store_unavailable`
 */
export async function writeInside(projectPath: string, path: string, file: NewFile): Promise<void> {
  try {
    const folder = await openFolder(projectPath, dirname(path));
    try {
      await replace(folder, basename(path), file);
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw toKnowledgeError(path, error);
  }
}

async function replace(
  folder: OpenFolder,
  name: string,
  { content, attributesFrom }: NewFile,
): Promise<void> {
  const existing = await lstat(await folder.at(name)).catch(() => undefined);
  if (existing !== undefined && !existing.isFile())
    throw new RefusedFile('it is not a regular file');
  const temporary = `.${randomUUID()}.tmp`;
  try {
    await writeNew(await folder.at(temporary), content, existing ?? attributesFrom);
    await rename(await folder.at(temporary), await folder.at(name));
  } catch (error) {
    await folder
      .at(temporary)
      .then((path) => rm(path, { force: true }))
      .catch(() => undefined);
    throw error;
  }
  await folder.flush();
}

async function writeNew(
  path: string,
  content: string | Buffer,
  attributesFrom: Stats | undefined,
): Promise<void> {
  const handle = await open(
    path,
    NEW_FILE_FLAGS,
    attributesFrom === undefined ? 0o666 : attributesFrom.mode & PERMISSIONS,
  );
  try {
    if (attributesFrom !== undefined) await copyAttributes(handle, attributesFrom);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Opening fails if anything with that name exists, including a link. */
const NEW_FILE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Only the superuser can change the owner. Permissions are set last, because changing the owner resets some. */
async function copyAttributes(handle: FileHandle, from: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== from.uid || own.gid !== from.gid)
    await handle.chown(from.uid, from.gid).catch(ignoreForbidden);
  await handle.chmod(from.mode & PERMISSIONS).catch(ignoreForbidden);
}

/** Excludes the setuid, setgid and sticky bits. */
const PERMISSIONS = 0o777;

function ignoreForbidden(error: unknown): void {
  if (!['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP'].includes(codeOf(error))) throw error;
}

function toKnowledgeError(path: string, cause: unknown): KnowledgeError {
  if (cause instanceof RefusedFile) {
    return new KnowledgeError('path_not_allowed', `${path} cannot be written: ${cause.message}.`, {
      cause,
    });
  }
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(cause));
  return isFull
    ? new KnowledgeError(
        'storage_full',
        `There is no space left to write ${path}; free some space and try again.`,
        { cause },
      )
    : new KnowledgeError('store_unavailable', `${path} cannot be written: ${reasonOf(cause)}`, {
        cause,
      });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
