import { type Dirent, readdirSync } from 'node:fs';
import type { FileListing } from '../../ports/project-files.js';
import { OutsideFile, RefusedFile, realPathInside, unlessUnreadable } from './inside-project.js';

/** The contents of a folder. */
export interface FolderReading<Entry = Dirent> {
  /** Empty if the folder does not exist, leads out of the project or cannot be read. */
  readonly entries: readonly Entry[];
  /** False if the folder exists but its contents are not known. */
  readonly isKnown: boolean;
  readonly leadsOut?: true;
}

/**
 * Reads a folder of a project; never follows a link out of it. If the project directory itself is gone, nothing is
 * known: it may have been moved, with everything in it.
 */
export function readFolderInside(projectPath: string, path: string): FolderReading {
  return readInside(projectPath, path, (real) => readdirSync(real, { withFileTypes: true }));
}

/** Like `readFolderInside`, but returns only the names of the entries. */
export function namesInside(projectPath: string, path: string): FolderReading<string> {
  return readInside(projectPath, path, (real) => readdirSync(real));
}

function readInside<Entry>(
  projectPath: string,
  path: string,
  read: (folder: string) => readonly Entry[],
): FolderReading<Entry> {
  try {
    const real = realPathInside(projectPath, path);
    if (real === undefined) return path === '' ? UNREADABLE : NO_ENTRIES;
    const entries = unlessUnreadable(() => read(real));
    if (entries === undefined) return NO_ENTRIES;
    return realPathInside(projectPath, path) === real ? { entries, isKnown: true } : UNREADABLE;
  } catch (error) {
    if (error instanceof OutsideFile) return { ...NO_ENTRIES, leadsOut: true };
    if (error instanceof RefusedFile) return UNREADABLE;
    throw error;
  }
}

/** Reports a folder that turned out to be a link out of the project. */
export function leftOutLink(
  folder: string,
  { leadsOut }: Pick<FolderReading, 'leadsOut'>,
): Pick<FileListing, 'leftOut'> {
  const link = { path: `${folder}/`, why: 'it is a link out of the project', remedy: '' };
  return leadsOut === undefined ? {} : { leftOut: [link] };
}

const NO_ENTRIES: FolderReading<never> = { entries: [], isKnown: true };
export const UNREADABLE: FolderReading<never> = { entries: [], isKnown: false };
