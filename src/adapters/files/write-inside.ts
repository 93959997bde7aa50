import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import { RefusedFile } from './inside-project.js';
import { type OpenFolder, openFolder } from './open-folder.js';

export interface NewFile {
  readonly content: string | Buffer;
  /** Whose permissions and owner a file gets that was not there before; default those of any new file. */
  readonly like?: Stats;
}

/**
 * Writes a file of a project by way of a temporary one beside it, flushed and renamed. A file that
 * was there keeps its permissions and, where that is allowed, its owner.
 * @throws KnowledgeError `path_not_allowed` where a link stands in the way, `storage_full`, `store_unavailable`
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
  { content, like }: NewFile,
): Promise<void> {
  const existing = await lstat(await folder.at(name)).catch(() => undefined);
  if (existing !== undefined && !existing.isFile())
    throw new RefusedFile('it is not a regular file');
  const temporary = `.${randomUUID()}.tmp`;
  try {
    await writeNew(await folder.at(temporary), content, existing ?? like);
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
  like: Stats | undefined,
): Promise<void> {
  const handle = await open(
    path,
    NEW_FILE_FLAGS,
    like === undefined ? 0o666 : like.mode & PERMISSIONS,
  );
  try {
    if (like !== undefined) await imitate(handle, like);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Fails where anything has that name, a link included. */
const NEW_FILE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Only the superuser may give a file to somebody else; the permissions come last, as that resets some. */
async function imitate(handle: FileHandle, like: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== like.uid || own.gid !== like.gid)
    await handle.chown(like.uid, like.gid).catch(ignoreForbidden);
  await handle.chmod(like.mode & PERMISSIONS).catch(ignoreForbidden);
}

/** Without the bits that lend the owner's rights to whoever runs a file. */
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
    ? new KnowledgeError('storage_full', `There is no space left to write ${path}.`, { cause })
    : new KnowledgeError('store_unavailable', `${path} cannot be written: ${reasonOf(cause)}`, {
        cause,
      });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
