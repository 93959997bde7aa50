import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { OutsideFile, RefusedFile, realPathInside, refuseUnreadable } from './inside-project.js';

/**
 * The entries of a folder of a project; empty if it does not exist or leads out of the project.
 * `unreadable` if it exists but its entries could not be read.
 */
export async function readFolderInside(
  projectPath: string,
  path: string,
): Promise<readonly Dirent[] | 'unreadable'> {
  try {
    const real = await realPathInside(projectPath, path);
    if (real === undefined) return [];
    const entries = await readdir(real, { withFileTypes: true }).catch(refuseUnreadable);
    const isSame = (await realPathInside(projectPath, path)) === real;
    return entries === undefined || isSame ? (entries ?? []) : 'unreadable';
  } catch (error) {
    if (error instanceof OutsideFile) return [];
    if (error instanceof RefusedFile) return 'unreadable';
    throw error;
  }
}
