import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { AppDirectories } from '../../ports/driven/app-directories.js';

/** For the option that names it. */
export const PROJECT_HELP = 'the project; default: the nearest one upwards';

/** The project of a command. */
export interface ProjectDirectory {
  /** Absolute. */
  readonly path: string;
  readonly isDirectory: boolean;
  /** Name of its application directory, which may be missing. */
  readonly appDir: string;
  /** Whether it has an application directory. */
  readonly isInitialized: boolean;
}

interface ProjectSearch {
  /** The value of `--project`, absolute or relative to the working directory. */
  readonly option: string | undefined;
  /** The working directory. */
  readonly directory: string;
  readonly home: string;
  readonly appDirs: AppDirectories;
}

/**
 * The directory that `--project` names; without it the nearest directory upwards that has an application
 * directory or is the root of a git project, or else the working directory. A home directory and what
 * contains it are not looked in.
 * @throws Error for the root of the file system and the home directory
 */
export function findProject(search: ProjectSearch): ProjectDirectory {
  const { option, directory, appDirs } = search;
  const start = resolve(directory, option ?? '.');
  const path = option === undefined ? (nearestProject(start, search) ?? start) : start;
  if (isRefused(path, search.home)) throw new Error(refusalOf(path));
  return {
    path,
    isDirectory: statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
    appDir: appDirs.of(path),
    isInitialized: isInitialized(path, appDirs),
  };
}

/** Whether a directory has an application directory. */
export function isInitialized(directory: string, appDirs: AppDirectories): boolean {
  return existsSync(join(directory, appDirs.of(directory)));
}

function nearestProject(directory: string, search: ProjectSearch): string | undefined {
  if (isRefused(directory, search.home)) return undefined;
  const isProject = isInitialized(directory, search.appDirs) || existsSync(join(directory, '.git'));
  return isProject ? directory : nearestProject(dirname(directory), search);
}

function isRefused(path: string, home: string): boolean {
  const real = realPathOf(path);
  return real === dirname(real) || real === realPathOf(home);
}

function refusalOf(path: string): string {
  const what = path === dirname(path) ? 'The root of the file system' : 'A home directory';
  return `${what} is not used as a project; change to the directory of a project, or name one with --project.`;
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
