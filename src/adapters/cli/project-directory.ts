import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { AppDirectories } from '../../ports/project-directories.js';

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
  /** Whether it is the root of a git project. */
  readonly isGit: boolean;
}

/** Where projects are on this machine. */
export interface ProjectFinder {
  /**
   * The nearest project from a directory upwards; undefined for the root of the file system, a home directory and what
   * contains one.
   */
  nearest(directory: string): string | undefined;
  /** Whether a directory has an application directory. */
  isInitialized(directory: string): boolean;
}

interface ProjectSearch {
  /** The working directory, absolute. */
  readonly directory: string;
  readonly appDirs: () => Promise<AppDirectories>;
  readonly projects: () => Promise<ProjectFinder>;
}

/**
 * The directory that `--project` names, or else the nearest project upwards from the working directory.
 * @param option what `--project` says, if anything
 * @throws Error for the root of the file system, and a home directory
 */
export async function projectOf(search: ProjectSearch, option: unknown): Promise<ProjectDirectory> {
  const start = resolve(search.directory, String(option ?? '.'));
  const [appDirs, projects] = [await search.appDirs(), await search.projects()];
  const nearest = projects.nearest(start);
  if (nearest === undefined) throw new Error(refusalOf(start));
  const path = option === undefined ? nearest : start;
  return {
    path,
    isDirectory: statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
    appDir: appDirs.of(path),
    isInitialized: projects.isInitialized(path),
    isGit: existsSync(join(path, '.git')),
  };
}

function refusalOf(path: string): string {
  const what = path === dirname(path) ? 'The root of the file system' : 'A home directory';
  return `${what} is not used as a project; change to the directory of a project, or name one with --project.`;
}
