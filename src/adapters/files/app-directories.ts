import { type Dir, type Dirent, lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, DEFAULT_APP_DIR, PROJECT_KEY_FILE } from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/project-directories.js';

/**
 * The application directories of all projects.
 * @param name of the folder in every project; default: `.knowledge`, or `.automaker` if that folder exists and
 *   `.knowledge` holds no knowledge
 */
export function appDirectories(name?: string): AppDirectories {
  return { of: (projectPath) => name ?? chosenFolder(projectPath) };
}

function chosenFolder(projectPath: string): string {
  if (!isFolder(join(projectPath, OTHER_APP_DIR))) return DEFAULT_APP_DIR;
  return holdsKnowledge(join(projectPath, DEFAULT_APP_DIR)) ? DEFAULT_APP_DIR : OTHER_APP_DIR;
}

/** The application directory of the program that the store was first made for. */
const OTHER_APP_DIR = '.automaker';

/** Whether a folder contains, at any depth, a file other than a database, a project key and hidden files. */
export function holdsKnowledge(folder: string): boolean {
  if (!isFolder(folder)) return false;
  const toRead = [folder];
  let left = ENTRIES_MAX;
  for (let path = toRead.pop(); path !== undefined; path = toRead.pop()) {
    for (const entry of listEntries(path)) {
      left -= 1;
      if (left < 0) return false;
      if (entry.name.startsWith('.')) continue;
      if (entry.isFile() && !isOwnFile(entry.name)) return true;
      if (entry.isDirectory()) toRead.push(join(path, entry.name));
    }
  }
  return false;
}

/** A folder with this many entries but no file counts as empty. */
const ENTRIES_MAX = 2_000;

function isOwnFile(name: string): boolean {
  return name.startsWith(DATABASE_FILE) || name === PROJECT_KEY_FILE;
}

/** The entries of a folder, read one by one, because the first file may be enough. None for an unreadable folder. */
function* listEntries(folder: string): Generator<Dirent> {
  let directory: Dir | undefined;
  try {
    directory = opendirSync(folder);
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      yield entry;
    }
  } catch {
    return;
  } finally {
    directory?.closeSync();
  }
}

/** Links are not followed. */
function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
