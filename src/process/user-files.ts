import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RemovableUserData, UserRecords } from '../adapters/cli/command-line-parts.js';
import type { CreatedPaths } from '../adapters/cli/settings-file.js';
import { JsonSessionConsents } from '../adapters/files/json-session-consents.js';
import { ProjectHistoryFiles } from '../adapters/files/project-history-files.js';
import type { Config } from '../app/config/fields.js';
import { DATABASE_FILE } from '../domain/project-layout.js';
import type { AppDirectories } from '../ports/project-directories.js';

/** The records about agents in the user's data folder. */
export function userRecords({ dataDir, embeddings, languageModel }: Config): UserRecords {
  return {
    consents: new JsonSessionConsents(dataDir),
    created: createdPaths(join(dataDir, 'created.json')),
    endpoints: [embeddings, languageModel].flatMap((endpoint) => endpoint?.baseUrl ?? []),
  };
}

function createdPaths(file: string): CreatedPaths {
  const paths = new Set<string>(readPaths(file));
  const save = () => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, `${JSON.stringify([...paths])}\n`, { mode: 0o600 });
    } catch {
      // Files that are not recorded as created by this program are kept when it is removed.
    }
  };
  return {
    has: (path) => paths.has(path),
    add: (path) => {
      paths.add(path);
      save();
    },
    delete: (path) => {
      paths.delete(path);
      save();
    },
  };
}

function readPaths(file: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(value) ? value.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

interface RemovalOptions {
  readonly config: Config;
  readonly appDirs: AppDirectories;
  readonly notes: 'kept' | 'removed';
}

/** Lists and removes our own files in the data folder, which may also hold files of other programs. */
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
