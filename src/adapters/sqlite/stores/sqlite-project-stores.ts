import { join } from 'node:path';
import { KnowledgeError, reasonOf } from '../../../domain/errors.js';
import { DATABASE_FILE } from '../../../domain/project-layout.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type { Logger } from '../../../ports/driven/logger.js';
import type { ProjectStore, ProjectStores } from '../../../ports/driven/project-stores.js';
import { salvage, setAside } from '../database/damage.js';
import { openDatabase } from '../database/open-database.js';
import { ProjectDatabase } from '../database/project-database.js';
import { isDamage, toKnowledgeError } from '../database/sqlite-errors.js';
import {
  databasePath,
  fileId,
  hasDatabase,
  prepareDirectory,
  removeOrphanedLog,
} from '../database/store-files.js';
import { setState } from '../database/store-state.js';
import { L1_FROM } from '../vectors/code-metric.js';
import { type LoadExtension, loadSqliteVec, VectorExtension } from '../vectors/vector-extension.js';
import { createProjectStore } from './sqlite-project-store.js';
import { REFILL_NEEDED } from './sqlite-refill-mark.js';

export interface SqliteProjectStoresOptions {
  /** Name of the application directory inside each project. */
  readonly appDir: string;
  /** The embedding model whose vectors count. */
  readonly model: string;
  /** Values of a vector of that model. */
  readonly dimensions: number;
  /** From so many vectors on, neighbours are found by L1 instead of L2 distances of their codes; 20,000. */
  readonly l1From?: number;
  /** Loads sqlite-vec; where it throws, searches use keywords only. */
  readonly loadExtension?: LoadExtension;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Once it is aborted, a lock that another process holds is no longer waited for. */
  readonly stopWaiting?: AbortSignal;
}

/** One SQLite file per project: `{projectPath}/<appdir>/knowledge.db`. */
export class SqliteProjectStores implements ProjectStores {
  readonly #options: SqliteProjectStoresOptions;
  readonly #extension: VectorExtension;
  readonly #open = new Map<string, Promise<OpenStore>>();
  /** Stores that are being closed; their files are opened again only after that. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #suspects = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #stopWaiting: AbortSignal;

  constructor(options: SqliteProjectStoresOptions) {
    this.#options = options;
    this.#extension = new VectorExtension(options.loadExtension ?? loadSqliteVec, options.logger);
    const { stopWaiting = this.#stopping.signal } = options;
    this.#stopWaiting = AbortSignal.any([this.#stopping.signal, stopWaiting]);
  }

  async open(projectPath: string): Promise<ProjectStore> {
    this.#assertOpen();
    const opening = this.#open.get(projectPath) ?? this.#remember(projectPath);
    const opened = await opening;
    if (fileId(opened.path) === opened.fileId) return opened.store;
    if (this.#open.get(projectPath) === opening) this.#abandon(projectPath);
    return (await (this.#open.get(projectPath) ?? this.#remember(projectPath))).store;
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
    this.#stopping.abort();
    for (const projectPath of [...this.#open.keys()]) this.#abandon(projectPath);
    await Promise.all(this.#closing.values());
  }

  #assertOpen(): void {
    if (this.#stopping.signal.aborted)
      throw new KnowledgeError('store_unavailable', 'The service is stopping.');
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
    await this.#closing.get(projectPath);
    try {
      const directory = prepareDirectory(projectPath, this.#options.appDir);
      return await this.#openOrReplace(projectPath, directory);
    } catch (error) {
      throw toKnowledgeError(error);
    }
  }

  async #openOrReplace(projectPath: string, directory: string): Promise<OpenStore> {
    const path = join(directory, DATABASE_FILE);
    const id = fileId(path);
    try {
      return await this.#connect(projectPath, directory);
    } catch (error) {
      if (!isDamage(error) || id === undefined) throw error;
      this.#suspects.delete(projectPath);
      const aside = setAside(path, id, this.#options.clock.now());
      if (aside === undefined) return this.#connect(projectPath, directory);
      this.#options.logger.error(
        'The knowledge store was damaged; it is set aside and a new one is made.',
        {
          projectPath,
          aside,
        },
      );
      return this.#replace(projectPath, directory, aside);
    }
  }

  async #connect(projectPath: string, directory: string): Promise<OpenStore> {
    const { model, dimensions, l1From = L1_FROM, clock } = this.#options;
    const trust = this.#suspects.has(projectPath) ? 'suspect' : 'trusted';
    const stopWaiting = this.#stopWaiting;
    const connections = await openDatabase(directory, { trust, dimensions, stopWaiting });
    this.#suspects.delete(projectPath);
    const onDamage = () => {
      this.#suspects.add(projectPath);
      this.#abandon(projectPath);
    };
    const database = new ProjectDatabase(connections, { onDamage, stopWaiting });
    const path = join(directory, DATABASE_FILE);
    const extension = this.#extension;
    const options = { projectPath, dbPath: path, model, dimensions, l1From, extension, clock };
    const store = createProjectStore(database, options);
    return { database, store, path, fileId: fileId(path), walId: fileId(`${path}-wal`) };
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
    const previous = this.#closing.get(projectPath);
    const closing: Promise<void> = opening
      .then(closeStore, () => undefined)
      .catch((error: unknown) => {
        const reason = reasonOf(error);
        this.#options.logger.warn('A knowledge store was not closed.', { projectPath, reason });
      })
      .then(() => previous)
      .then(() => this.#forgetClosing(projectPath, closing));
    this.#closing.set(projectPath, closing);
  }

  #forgetClosing(projectPath: string, closing: Promise<void>): void {
    if (this.#closing.get(projectPath) === closing) this.#closing.delete(projectPath);
  }
}

interface OpenStore {
  readonly store: ProjectStore;
  readonly database: ProjectDatabase;
  readonly path: string;
  /** The `fileId` of the database when it was opened. */
  readonly fileId: string | undefined;
  /** The `fileId` of its write-ahead log at that time; undefined if there was none. */
  readonly walId: string | undefined;
}

async function closeStore({ database, path, fileId: id, walId }: OpenStore): Promise<void> {
  await database.close();
  if (fileId(path) !== id) removeOrphanedLog(path, walId);
}
