import { KnowledgeError } from '../../../domain/errors.js';
import type { AppDirectories } from '../../../ports/driven/app-directories.js';
import type { Logger } from '../../../ports/driven/logger.js';
import type { ProjectStore } from '../../../ports/driven/project-stores.js';
import { moveAside, salvage } from '../database/damage.js';
import { excludeFromGit } from '../database/git-exclusion.js';
import { type Connections, openDatabase, type Trust } from '../database/open-database.js';
import { ProjectDatabase, type ProjectDatabaseOptions } from '../database/project-database.js';
import { isDamage, toKnowledgeError } from '../database/sqlite-errors.js';
import {
  databasePath,
  fileId,
  prepareDirectory,
  removeOrphanedLog,
} from '../database/store-files.js';
import { setState } from '../database/store-state.js';
import { createProjectStore, type ProjectStoreOptions } from './sqlite-project-store.js';
import { REFILL_NEEDED } from './sqlite-refill-mark.js';

/** What all projects have in common. */
export interface StoreOpenerOptions
  extends Omit<ProjectStoreOptions, 'projectPath' | 'dbPath'>,
    Pick<ProjectDatabaseOptions, 'logMaxBytes' | 'stopWaiting' | 'lockTimeoutMs'> {
  readonly appDirs: AppDirectories;
  readonly logger: Logger;
  /** Called before each piece of work that blocks this process. */
  readonly onWork?: (projectPath: string) => void;
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
      return await this.#connect(opening, path);
    } catch (error) {
      if (!isDamage(error) || id === undefined) throw error;
      const fresh: Opening = { ...opening, trust: 'trusted' };
      const aside = moveAside(path, id, { at: this.#options.clock.now(), as: 'corrupt' });
      if (aside === undefined) return this.#connect(fresh, path);
      const { projectPath } = opening;
      this.#options.logger.error(
        'The knowledge store was damaged; it is set aside and a new one is made.',
        { projectPath, aside },
      );
      return this.#replace(fresh, path, aside);
    }
  }

  async #connect(opening: Opening, path: string): Promise<OpenStore> {
    const { projectPath, onDamage, onUse } = opening;
    const { onWork } = this.#options;
    let first: Connections | undefined = await this.#connections(projectPath, opening.trust);
    const id = fileId(path);
    const database: ProjectDatabase = new ProjectDatabase({
      ...this.#options,
      onDamage,
      onUse: (moment) => onUse(database, moment),
      onWork: () => onWork?.(projectPath),
      connect: async () => {
        const connections = first;
        first = undefined;
        return connections ?? this.#connectAgain(projectPath, id);
      },
    });
    await database.read(() => undefined);
    const store = createProjectStore(database, { ...this.#options, projectPath, dbPath: path });
    return { database, store, path, fileId: id, walId: fileId(`${path}-wal`) };
  }

  /** Never creates a store: its directory may have been removed since. */
  async #connectAgain(projectPath: string, id: string | undefined): Promise<Connections> {
    if (fileId(this.#pathOf(projectPath)) !== id) {
      throw new KnowledgeError(
        'store_unavailable',
        'The knowledge store was removed or replaced; try again.',
      );
    }
    return this.#connections(projectPath, 'trusted');
  }

  async #connections(projectPath: string, trust: Trust): Promise<Connections> {
    const directory = prepareDirectory(projectPath, this.#options.appDirs.of(projectPath));
    excludeFromGit(projectPath, directory);
    this.#options.onWork?.(projectPath);
    return openDatabase(directory, { ...this.#options, trust });
  }

  #pathOf(projectPath: string): string {
    return databasePath(projectPath, this.#options.appDirs.of(projectPath));
  }

  async #replace(opening: Opening, path: string, aside: string): Promise<OpenStore> {
    const opened = await this.#connect(opening, path);
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
