import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../../domain/project-layout.js';

/**
 * Keeps the database of a git project out of its history: writes a `.gitignore` into the application
 * directory, unless there is one. A worktree has a file `.git` instead of a folder. A failure is no matter.
 */
export function excludeFromGit(projectPath: string, directory: string): void {
  if (lstatSync(join(projectPath, '.git'), { throwIfNoEntry: false }) === undefined) return;
  try {
    writeFileSync(join(directory, '.gitignore'), `${DATABASE_FILE}*\n`, { flag: 'wx' });
  } catch {
    // It exists already, or nothing can be written here.
  }
}
