import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../../domain/project-layout.js';
import type { AppDirectories } from '../../../ports/driven/app-directories.js';
import type { Logger } from '../../../ports/driven/logger.js';
import type { ProjectStore } from '../../../ports/driven/project-stores.js';
import type { StoreClaims } from '../../../ports/driven/store-claims.js';
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
  readonly claims: StoreClaims;
  /** Called before each piece of work that blocks this process. */
  readonly onWork?: (projectPath: string) => void;
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

/** Opens the stores of projects; a damaged one is set aside, and a new one takes its place. */
export class StoreOpener {
  readonly #options: StoreOpenerOptions;

  constructor(options: StoreOpenerOptions) {
    this.#options = options;
  }

  /** @throws KnowledgeError as `ProjectStores.open` does */
  async open(opening: Opening): Promise<OpenStore> {
    try {
      return await this.#openOrReplace(opening);
    } catch (error) {
      throw toKnowledgeError(error);
    }
  }

  async #openOrReplace(opening: Opening): Promise<OpenStore> {
    const path = this.#pathOf(opening.projectPath);
    const id = fileId(path);
    try {
      return await this.#open(opening);
    } catch (error) {
      if (!isDamage(error) || id === undefined) throw error;
      return this.#options.claims.exclusively(opening.projectPath, () =>
        this.#replace({ ...opening, mode: 'trusted' }, path, id),
      );
    }
  }

  async #replace(opening: Opening, path: string, id: string): Promise<OpenStore> {
    const { clock, logger } = this.#options;
    const aside = moveAside(path, id, asideName(path, 'corrupt', clock.now()));
    if (aside === undefined) return this.#open(opening);
    const { projectPath } = opening;
    logger.error('The knowledge store was damaged; it is set aside and a new one is made.', {
      projectPath,
      aside,
    });
    const opened = await this.#open(opening);
    await opened.database.write((db) => setState(db, REFILL_NEEDED, aside));
    return opened;
  }

  async #open(opening: Opening): Promise<OpenStore> {
    const { projectPath, onDamage, onUse } = opening;
    const path = this.#pathOf(projectPath);
    let first: Connections | undefined = await this.#connect(projectPath, opening.mode);
    const id = fileId(path);
    const isSame = () => fileId(path) === id;
    const database: ProjectDatabase = new ProjectDatabase({
      ...this.#options,
      onDamage,
      onUse: (moment) => onUse(database, moment),
      onWork: () => this.#options.onWork?.(projectPath),
      connect: async () => {
        const connections = first;
        first = undefined;
        // A store whose file is gone is never made again by those who hold it.
        return connections ?? (isSame() ? this.#connect(projectPath, 'trusted') : undefined);
      },
    });
    await database.read(() => undefined);
    const store = createProjectStore(database, { ...this.#options, projectPath, dbPath: path });
    return { database, store, isCurrent: () => isSame() && database.isCurrent() };
  }

  async #connect(projectPath: string, mode: OpenMode): Promise<Connections> {
    const directory = prepareDirectory(projectPath, this.#options.appDirs.of(projectPath));
    excludeFromGit(projectPath, directory);
    this.#options.onWork?.(projectPath);
    return openDatabase(directory, { ...this.#options, mode });
  }

  #pathOf(projectPath: string): string {
    return databasePath(projectPath, this.#options.appDirs.of(projectPath));
  }
}

/**
 * Keeps the database of a git project out of its history: writes a `.gitignore` into the application
 * directory, unless there is one. A worktree has a file `.git` instead of a folder. A failure is no matter.
 */
function excludeFromGit(projectPath: string, directory: string): void {
  if (lstatSync(join(projectPath, '.git'), { throwIfNoEntry: false }) === undefined) return;
  try {
    createFile(join(directory, '.gitignore'), { content: `${DATABASE_FILE}*\n`, mode: 0o666 });
  } catch {
    // Nothing can be written here.
  }
}
