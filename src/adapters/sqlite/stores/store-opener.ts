import { join } from 'node:path';
import { DATABASE_FILE } from '../../../domain/project-layout.js';
import type { AppDirectories } from '../../../ports/driven/app-directories.js';
import type { Logger } from '../../../ports/driven/logger.js';
import type { ProjectStore } from '../../../ports/driven/project-stores.js';
import { moveAside, salvage } from '../database/damage.js';
import { excludeFromGit } from '../database/git-exclusion.js';
import { openDatabase, type Trust } from '../database/open-database.js';
import { ProjectDatabase, type ProjectDatabaseOptions } from '../database/project-database.js';
import { isDamage, toKnowledgeError } from '../database/sqlite-errors.js';
import { fileId, prepareDirectory, removeOrphanedLog } from '../database/store-files.js';
import { setState } from '../database/store-state.js';
import { createProjectStore, type ProjectStoreOptions } from './sqlite-project-store.js';
import { REFILL_NEEDED } from './sqlite-refill-mark.js';

/** What all projects have in common. */
export interface StoreOpenerOptions
  extends Omit<ProjectStoreOptions, 'projectPath' | 'dbPath'>,
    Omit<ProjectDatabaseOptions, 'onDamage'> {
  readonly appDirs: AppDirectories;
  /** Whether moving what was committed from the log into the file is left to other connections; default false. */
  readonly keepsLog?: boolean;
  readonly logger: Logger;
}

/** A store with its database, and how to tell whether its files have been replaced since. */
export interface OpenStore {
  readonly store: ProjectStore;
  readonly database: ProjectDatabase;
  readonly path: string;
  /** The `fileId` of the database when it was opened. */
  readonly fileId: string | undefined;
  /** The `fileId` of its write-ahead log at that time; undefined if there was none. */
  readonly walId: string | undefined;
}

export interface Opening {
  readonly projectPath: string;
  readonly trust: Trust;
  /** Called when an operation finds the database damaged. */
  readonly onDamage: () => void;
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
      const { projectPath } = opening;
      const appDir = this.#options.appDirs.of(projectPath);
      const directory = prepareDirectory(projectPath, appDir);
      excludeFromGit(projectPath, directory);
      return await this.#openOrReplace(opening, directory);
    } catch (error) {
      throw toKnowledgeError(error);
    }
  }

  async #openOrReplace(opening: Opening, directory: string): Promise<OpenStore> {
    const path = join(directory, DATABASE_FILE);
    const id = fileId(path);
    try {
      return await this.#connect(opening, directory);
    } catch (error) {
      if (!isDamage(error) || id === undefined) throw error;
      const fresh: Opening = { ...opening, trust: 'trusted' };
      const aside = moveAside(path, id, { at: this.#options.clock.now(), as: 'corrupt' });
      if (aside === undefined) return this.#connect(fresh, directory);
      const { projectPath } = opening;
      this.#options.logger.error(
        'The knowledge store was damaged; it is set aside and a new one is made.',
        { projectPath, aside },
      );
      return this.#replace(fresh, directory, aside);
    }
  }

  async #connect({ projectPath, trust, onDamage }: Opening, directory: string): Promise<OpenStore> {
    const { dimensions } = this.#options;
    const connections = await openDatabase(directory, { ...this.#options, trust, dimensions });
    const database = new ProjectDatabase(connections, { ...this.#options, onDamage });
    const path = join(directory, DATABASE_FILE);
    const store = createProjectStore(database, { ...this.#options, projectPath, dbPath: path });
    return { database, store, path, fileId: fileId(path), walId: fileId(`${path}-wal`) };
  }

  async #replace(opening: Opening, directory: string, aside: string): Promise<OpenStore> {
    const opened = await this.#connect(opening, directory);
    await opened.database.write((db) => setState(db, REFILL_NEEDED, aside));
    const saved = await opened.database.write((db) => salvage(db, aside));
    const { projectPath } = opening;
    this.#options.logger.warn('Saved what could be read of the damaged knowledge store.', {
      projectPath,
      ...saved,
    });
    return opened;
  }
}

/** Closes a store once the write under way is done. */
export async function closeStore({ database, path, fileId: id, walId }: OpenStore): Promise<void> {
  await database.close();
  if (fileId(path) !== id) removeOrphanedLog(path, walId);
}
