import { lstat, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import { RefusedFile, realPathInside } from './inside-project.js';

/**
 * Writes a file of a project by way of a temporary one beside it, flushed and renamed.
 * @throws KnowledgeError `path_not_allowed` where a link stands in the way, `storage_full`, `store_unavailable`
 */
export async function writeInside(
  projectPath: string,
  path: string,
  content: string | Buffer,
): Promise<void> {
  try {
    await makeFolder(projectPath, dirname(path));
    const target = join(projectPath, path);
    const existing = await lstat(target).catch(() => undefined);
    if (existing !== undefined && !existing.isFile())
      throw new RefusedFile('it is not a regular file');
    await writeFileAtomic(target, content);
  } catch (error) {
    throw toKnowledgeError(path, error);
  }
}

/** Creates what is missing of a folder, after a look at where what is there leads. */
async function makeFolder(projectPath: string, folder: string): Promise<void> {
  if ((await realPathInside(projectPath, folder)) !== undefined) return;
  await makeFolder(projectPath, dirname(folder));
  await mkdir(join(projectPath, folder)).catch(ignoreExisting);
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
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
