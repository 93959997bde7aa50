import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The project of a command. */
export interface ProjectDirectory {
  /** Absolute. */
  readonly path: string;
  /** Whether it has an application directory. */
  readonly isInitialized: boolean;
}

export interface ProjectSearch {
  /** The value of `--project`, absolute or relative to the working directory. */
  readonly option: string | undefined;
  /** The working directory. */
  readonly directory: string;
  readonly appDir: string;
}

/**
 * The directory that `--project` names; without it the nearest directory upwards that has an application
 * directory, or else the working directory.
 */
export function findProject({ option, directory, appDir }: ProjectSearch): ProjectDirectory {
  const start = resolve(directory, option ?? '.');
  const nearest = option === undefined ? nearestProject(start, appDir) : start;
  const path = nearest ?? start;
  return { path, isInitialized: isDirectory(join(path, appDir)) };
}

function nearestProject(directory: string, appDir: string): string | undefined {
  if (isDirectory(join(directory, appDir))) return directory;
  const parent = dirname(directory);
  return parent === directory ? undefined : nearestProject(parent, appDir);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
