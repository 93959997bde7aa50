import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { OutsideFile, RefusedFile, realPathInside, refuseUnreadable } from './inside-project.js';

/** What a folder of a project holds. */
export interface FolderReading {
  /** Empty if the folder does not exist, leads out of the project or cannot be read. */
  readonly entries: readonly Dirent[];
  /** False if the folder exists, but what it holds is not known. */
  readonly isKnown: boolean;
}

/**
 * Reads a folder of a project; never follows a link out of it. Nothing is known of a project whose own
 * folder is gone: it may have been moved, with everything in it.
 */
export async function readFolderInside(projectPath: string, path: string): Promise<FolderReading> {
  try {
    const real = realPathInside(projectPath, path);
    if (real === undefined) return path === '' ? UNREADABLE : NO_ENTRIES;
    const entries = await readdir(real, { withFileTypes: true }).catch(refuseUnreadable);
    const isSame = realPathInside(projectPath, path) === real;
    if (entries === undefined) return NO_ENTRIES;
    return isSame ? { entries, isKnown: true } : UNREADABLE;
  } catch (error) {
    if (error instanceof OutsideFile) return NO_ENTRIES;
    if (error instanceof RefusedFile) return UNREADABLE;
    throw error;
  }
}

const NO_ENTRIES: FolderReading = { entries: [], isKnown: true };
const UNREADABLE: FolderReading = { entries: [], isKnown: false };
