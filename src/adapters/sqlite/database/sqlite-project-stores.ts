import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { KnowledgeError } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type { Logger } from '../../../ports/driven/logger.js';
import type { ProjectStore, ProjectStores } from '../../../ports/driven/project-stores.js';
import { type LoadExtension, loadSqliteVec, VectorExtension } from '../vectors/vector-extension.js';
import { salvage, setAside } from './damage.js';
import { openDatabase } from './open-database.js';
import { ProjectDatabase } from './project-database.js';
import { isDamage, toKnowledgeError } from './sqlite-errors.js';
import { createProjectStore } from './sqlite-project-store.js';
import { REFILL_NEEDED } from './sqlite-refill-mark.js';
import { DATABASE_FILE, databasePath, hasDatabase, prepareDirectory } from './store-files.js';
import { setState } from './store-state.js';

export interface SqliteProjectStoresOptions {
  /** Name of the application directory inside each project. */
  readonly appDir: string;
  /** The embedding model whose vectors count. */
  readonly model: string;
  /** Values of a vector of that model. */
  readonly dimensions: number;
  /** Loads sqlite-vec; where it throws, searches use keywords only. */
  readonly loadExtension?: LoadExtension;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One SQLite file per project: `{projectPath}/<appdir>/knowledge.db`. */
export class SqliteProjectStores implements ProjectStores {
  readonly #options: SqliteProjectStoresOptions;
  readonly #extension: VectorExtension;
  readonly #open = new Map<string, Promise<OpenStore>>();
  readonly #suspects = new Set<string>();
  #closed = false;

  constructor(options: SqliteProjectStoresOptions) {
    this.#options = options;
    this.#extension = new VectorExtension(options.loadExtension ?? loadSqliteVec, options.logger);
  }

  async open(projectPath: string): Promise<ProjectStore> {
    this.#assertOpen();
    const opened = await (this.#open.get(projectPath) ?? this.#remember(projectPath));
    if (inodeOf(opened.path) === opened.inode) return opened.store;
    this.#abandon(projectPath);
    return (await this.#remember(projectPath)).store;
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    this.#assertOpen();
    const exists = hasDatabase(projectPath, this.#options.appDir);
    return exists ? this.open(projectPath) : undefined;
  }

  locationOf(projectPath: string): string {
    return databasePath(projectPath, this.#options.appDir);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const stores = await Promise.allSettled(this.#open.values());
    this.#open.clear();
    await Promise.all(
      stores.map((opened) => opened.status === 'fulfilled' && opened.value.database.close()),
    );
  }

  #assertOpen(): void {
    if (this.#closed) throw new KnowledgeError('store_unavailable', 'The service is stopping.');
  }

  #remember(projectPath: string): Promise<OpenStore> {
    const opening = this.#openStore(projectPath);
    this.#open.set(projectPath, opening);
    opening.catch(() => this.#forget(projectPath, opening));
    return opening;
  }

  #forget(projectPath: string, opening: Promise<OpenStore>): void {
    if (this.#open.get(projectPath) === opening) this.#open.delete(projectPath);
  }

  async #openStore(projectPath: string): Promise<OpenStore> {
    try {
      const directory = prepareDirectory(projectPath, this.#options.appDir);
      return await this.#openOrReplace(projectPath, directory);
    } catch (error) {
      throw toKnowledgeError(error);
    }
  }

  async #openOrReplace(projectPath: string, directory: string): Promise<OpenStore> {
    try {
      return await this.#connect(projectPath, directory);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#suspects.delete(projectPath);
      const aside = setAside(join(directory, DATABASE_FILE), this.#options.clock.now());
      this.#options.logger.error(
        'The knowledge store was damaged; it is set aside and made anew.',
        {
          projectPath,
          aside,
        },
      );
      return this.#replace(projectPath, directory, aside);
    }
  }

  async #connect(projectPath: string, directory: string): Promise<OpenStore> {
    const { model, dimensions, clock } = this.#options;
    const trust = this.#suspects.has(projectPath) ? 'suspect' : 'trusted';
    const connections = await openDatabase(directory, { trust, dimensions });
    this.#suspects.delete(projectPath);
    const database = new ProjectDatabase(connections, () => {
      this.#suspects.add(projectPath);
      this.#abandon(projectPath);
    });
    const path = join(directory, DATABASE_FILE);
    const extension = this.#extension;
    const options = { projectPath, dbPath: path, model, dimensions, extension, clock };
    const store = createProjectStore(database, options);
    return { database, store, path, inode: inodeOf(path) };
  }

  async #replace(projectPath: string, directory: string, aside: string): Promise<OpenStore> {
    const opened = await this.#connect(projectPath, directory);
    const saved = await opened.database.write((db) => {
      setState(db, REFILL_NEEDED, aside);
      return salvage(db, aside);
    });
    this.#options.logger.warn('Saved what could be read of the damaged knowledge store.', {
      projectPath,
      ...saved,
    });
    return opened;
  }

  /** Closes a store that shows damage, or whose file was replaced; the next use opens what is there then. */
  #abandon(projectPath: string): void {
    const opening = this.#open.get(projectPath);
    if (opening === undefined) return;
    this.#open.delete(projectPath);
    opening
      .then(({ database }) => database.close())
      .catch((error: unknown) => {
        this.#options.logger.warn('A knowledge store could not be closed.', { projectPath, error });
      });
  }
}

interface OpenStore {
  readonly store: ProjectStore;
  readonly database: ProjectDatabase;
  readonly path: string;
  readonly inode: number | undefined;
}

function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}
