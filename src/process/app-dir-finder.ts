import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { AppDirFinder } from '../adapters/cli/project-directory.js';
import { findAppDir } from '../adapters/files/app-directories.js';
import { type Environment, readConfig } from '../app/config/read-config.js';
import { DEFAULT_APP_DIR } from '../domain/project-layout.js';

/**
 * Finds the application directory of a directory, as the configuration says.
 * @throws ConfigError
 */
export function appDirFinder(env: Environment): AppDirFinder {
  const { appDir } = readConfig(env);
  if (appDir === undefined) return { byDefault: DEFAULT_APP_DIR, find: findAppDir };
  const find = (directory: string) => (isDirectory(join(directory, appDir)) ? appDir : undefined);
  return { byDefault: appDir, find };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
