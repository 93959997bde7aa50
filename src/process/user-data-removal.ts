import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RemovableUserData } from '../adapters/cli/command-line-parts.js';
import { ProjectHistoryFiles } from '../adapters/files/project-history-files.js';
import type { Config } from '../app/config/fields.js';
import { DATABASE_FILE } from '../domain/project-layout.js';
import type { AppDirectories } from '../ports/project-directories.js';

interface RemovalOptions {
  readonly config: Config;
  readonly appDirs: AppDirectories;
  readonly notes: 'kept' | 'removed';
}

/** Our own files in the data folder, which may also hold those of other programs. */
export function removableUserData({ config, appDirs, notes }: RemovalOptions): RemovableUserData {
  const folder = resolve(config.dataDir);
  const names = [...OUR_NAMES, ...(notes === 'removed' ? NOTES : [])];
  const paths = names.map((name) => join(folder, name)).filter((path) => existsSync(path));
  const projects = new ProjectHistoryFiles(join(folder, 'known-projects')).list();
  const folders = projects.map(({ path }) => join(path, appDirs.of(path)));
  return {
    paths,
    projects: projects.map(({ path }) => path),
    projectFolders: folders.filter((path) => existsSync(path)),
    remove: () => {
      for (const path of paths) rmSync(path, { recursive: true, force: true });
      if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
    },
  };
}

const OUR_NAMES = [
  'models',
  'service',
  'service.log',
  'service.log.1',
  'seen-databases',
  'known-projects',
  'sessions',
  'sessions.json',
  'shown-pieces.json',
  'created.json',
  'relevance-scales.json',
];
/** The user's notes and their store, which holds nothing else. */
const NOTES = ['notes', DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`];
