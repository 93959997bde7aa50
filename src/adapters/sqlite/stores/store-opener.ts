import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../../domain/project-layout.js';
import type { AppDirectories } from '../../../ports/driven/app-directories.js';
import type { Logger } from '../../../ports/driven/logger.js';
import type { ProjectStore } from '../../../ports/driven/project-stores.js';
import type { Connections } from '../database/connections.js';
import { asideName, fileId, moveAside } from '../database/file-identity.js';
import { type OpenMode, openDatabase } from '../database/open-database.js';
import { ProjectDatabase, type ProjectDatabaseOptions } from '../database/project-database.js';
import { isDamage, toKnowledgeError } from '../database/sqlite-errors.js';
import { createFile, databasePath, prepareDirectory } from '../database/store-files.js';
import { setState } from '../database/store-state.js';
import {
  createProjectStore,
  type ProjectStoreOptions,
  REFILL_NEEDED,
} from './sqlite-project-store.js';

/** What all projects have in common. */
export interface StoreOpenerOptions
  extends Omit<ProjectStoreOptions, 'projectPath' | 'dbPath'>,
    Pick<ProjectDatabaseOptions, 'logMaxBytes' | 'stopWaiting' | 'lockTimeoutMs'> {
  readonly appDirs: AppDirectories;
  readonly logger: Logger;
}

/** A store with its database. */
export interface OpenStore {
  readonly store: ProjectStore;
  readonly database: ProjectDatabase;
  /** Whether its file is still the one that was opened. */
  readonly isCurrent: () => boolean;
}

export interface Opening {
  readonly projectPath: string;
  readonly mode: OpenMode;
  /** Called when an operation finds the database damaged. */
  readonly onDamage: () => void;
  /** Called before each use of the database and after it. */
  readonly onUse: (database: ProjectDatabase, moment: 'begins' | 'ends') => void;
}

/**
 * Opens the store of a project. A damaged one is set aside, and a new one takes its place.
 * @throws KnowledgeError as `ProjectStores.open` does
 */
export async function openStore(opening: Opening, options: StoreOpenerOptions): Promise<OpenStore> {
  const { projectPath } = opening;
  const path = databasePath(projectPath, options.appDirs.of(projectPath));
  const id = fileId(path);
  try {
    return await open(opening, path, options);
  } catch (error) {
    if (!isDamage(error) || id === undefined) throw toKnowledgeError(error);
  }
  const replace = async () => {
    const aside = moveAside(path, id, asideName(path, 'corrupt', options.clock.now()));
    const opened = await open({ ...opening, mode: 'trusted' }, path, options);
    if (aside === undefined) return opened;
    const message = 'The knowledge store was damaged; it is set aside and a new one is made.';
    options.logger.error(message, { projectPath, aside });
    await opened.database.write((db) => setState(db, REFILL_NEEDED, aside));
    return opened;
  };
  return replace().catch((error: unknown) => {
    throw toKnowledgeError(error);
  });
}

async function open(
  { projectPath, mode, onDamage, onUse }: Opening,
  path: string,
  options: StoreOpenerOptions,
): Promise<OpenStore> {
  const made = await connect(projectPath, mode, options);
  let first: Connections | undefined = made;
  const isSame = () => fileId(path) === made.file;
  const database: ProjectDatabase = new ProjectDatabase({
    ...options,
    onDamage,
    onUse: (moment) => onUse(database, moment),
    connect: async () => {
      const connections = first;
      first = undefined;
      // A store whose file is gone is never made again by those who hold it.
      return connections ?? (isSame() ? connect(projectPath, 'trusted', options) : undefined);
    },
  });
  await database.read(() => undefined);
  const store = createProjectStore(database, { ...options, projectPath, dbPath: path });
  return { database, store, isCurrent: () => isSame() && database.isCurrent() };
}

async function connect(
  projectPath: string,
  mode: OpenMode,
  options: StoreOpenerOptions,
): Promise<Connections> {
  const directory = prepareDirectory(projectPath, options.appDirs.of(projectPath));
  excludeFromGit(projectPath, directory);
  return openDatabase(directory, { ...options, mode });
}

/**
 * Keeps the database of a git project out of its history: writes a `.gitignore` into the application
 * directory, unless there is one. A worktree has a file `.git` instead of a folder. A failure is no matter.
 */
function excludeFromGit(projectPath: string, directory: string): void {
  if (lstatSync(join(projectPath, '.git'), { throwIfNoEntry: false }) === undefined) return;
  try {
    createFile(join(directory, '.gitignore'), `${DATABASE_FILE}*\n`, 0o666);
  } catch {
    // Nothing can be written here.
  }
}
