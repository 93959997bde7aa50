import { statSync } from 'node:fs';
import { join } from 'node:path';
import { findAppDir } from '../adapters/files/app-directories.js';
import { type Environment, readConfig } from '../app/config/read-config.js';

/**
 * Finds the application directory of a directory, as the configuration says.
 * @throws ConfigError
 */
export function appDirFinder(env: Environment): (directory: string) => string | undefined {
  const { appDir } = readConfig(env);
  if (appDir === undefined) return findAppDir;
  return (directory) => (isDirectory(join(directory, appDir)) ? appDir : undefined);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
