import { dirname } from 'node:path';
import { errorReason, KnowledgeError } from '../../../domain/errors.js';
import { OPEN_PROJECTS_MAX, PROJECT_IDLE_MS } from '../../../domain/limits.js';
import type { Clock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import type { AppDirectories } from '../../../ports/project-directories.js';
import type { ProjectStore, ProjectStores } from '../../../ports/project-stores.js';
import type { VectorModel } from '../../../ports/vector-index.js';
import { IdleEntries } from '../../../shared/idle-entries.js';
import { toKnowledgeError } from '../database/errors.js';
import { databasePath, fileId, prepareDirectory } from '../database/files.js';
import { openDatabase } from '../database/open-database.js';
import { SeenDatabases } from '../database/seen-databases.js';
import { SqliteDatabase } from '../database/sqlite-database.js';
import { NEEDS_REINDEXING, readState } from '../database/store-state.js';
import { type LoadExtension, loadSqliteVec, VectorExtension } from '../vectors/vector-extension.js';
import { createProjectStore } from './sqlite-project-store.js';
import { newLeaseHolder } from './sqlite-upkeep.js';

export interface SqliteProjectStoresOptions extends VectorModel {
  readonly appDirs: AppDirectories;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborting it ends all waiting for other processes. */
  readonly stopWaiting?: AbortSignal;
  /** How long an unused database stays open; default 5 minutes. */
  readonly idleMs?: number;
  /** Maximum number of open databases; those in use stay open beyond it. Default 100. */
  readonly maxOpen?: number;
  /** Records the database files that this machine has checked. By default, only this process remembers them. */
  readonly seenFile?: string | undefined;
  /** How long checking a database new to this machine may take. Default: depends on its size. */
  readonly checkLimitMs?: number;
  /** Loads sqlite-vec; if it throws, searches use keywords only. */
  readonly loadExtension?: LoadExtension;
}

/** Keeps one SQLite file per project, `{projectPath}/<appdir>/knowledge.db`, open while the project is in use. */
export class SqliteProjectStores implements ProjectStores {
  readonly #options: SqliteProjectStoresOptions;
  readonly #databases: IdleEntries<SqliteDatabase>;
  readonly #open = new Map<string, Promise<OpenStore>>();
  readonly #stopping = new AbortController();
  readonly #stopWaiting: AbortSignal;
  readonly #extension: VectorExtension;
  readonly #leaseHolder = newLeaseHolder();
  readonly #seen: SeenDatabases;

  constructor(options: SqliteProjectStoresOptions) {
    const { clock, logger, idleMs = PROJECT_IDLE_MS, maxOpen: most = OPEN_PROJECTS_MAX } = options;
    this.#options = options;
    this.#seen = new SeenDatabases(options.seenFile);
    this.#extension = new VectorExtension(options.loadExtension ?? loadSqliteVec, logger);
    this.#stopWaiting = AbortSignal.any(
      [this.#stopping.signal, options.stopWaiting].filter((signal) => signal !== undefined),
    );
    this.#databases = new IdleEntries({
      clock,
      idleMs,
      most,
      evict: (database) => database.closeIfUnused(),
    });
  }

  async open(projectPath: string): Promise<ProjectStore> {
    this.#assertOpen();
    const opening = this.#open.get(projectPath) ?? this.#remember(projectPath);
    const { database, store } = await opening;
    if (this.#isCurrent(projectPath, database)) return store;
    if (this.#open.get(projectPath) === opening) this.#open.delete(projectPath);
    await this.#close(projectPath, database);
    return (await (this.#open.get(projectPath) ?? this.#remember(projectPath))).store;
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    this.#assertOpen();
    return this.#fileAt(projectPath) === undefined ? undefined : this.open(projectPath);
  }

  async release(projectPath: string): Promise<void> {
    const opened = await this.#open.get(projectPath)?.catch(() => undefined);
    this.#open.delete(projectPath);
    if (opened !== undefined) await this.#close(projectPath, opened.database);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#databases.stop();
    await Promise.all([...this.#open.keys()].map((projectPath) => this.release(projectPath)));
  }

  #assertOpen(): void {
    if (this.#stopping.signal.aborted)
      throw new KnowledgeError('store_unavailable', 'The service is stopping.');
  }

  #isCurrent(projectPath: string, database: SqliteDatabase): boolean {
    return (
      this.#fileAt(projectPath) === database.file && translateErrors(() => database.isCurrent())
    );
  }

  #fileAt(projectPath: string): string | undefined {
    return translateErrors(() => fileId(this.#databasePath(projectPath)));
  }

  #databasePath(projectPath: string): string {
    return databasePath(projectPath, this.#options.appDirs.of(projectPath));
  }

  #remember(projectPath: string): Promise<OpenStore> {
    const opening = this.#openStore(projectPath);
    this.#open.set(projectPath, opening);
    opening.catch(() => {
      if (this.#open.get(projectPath) === opening) this.#open.delete(projectPath);
    });
    return opening;
  }

  async #openStore(projectPath: string): Promise<OpenStore> {
    const database: SqliteDatabase = new SqliteDatabase({
      connect: () => this.#connect(projectPath),
      folder: dirname(this.#databasePath(projectPath)),
      onUse: (moment) =>
        moment === 'begins' ? this.#databases.use(database) : this.#databases.evictSurplus(),
      onDamage: () => this.#seen.forget(this.#databasePath(projectPath)),
      stopWaiting: this.#stopWaiting,
    });
    const needsReindexing = await database.read(
      (db) => readState(db, NEEDS_REINDEXING) !== undefined,
    );
    const store = createProjectStore(database, {
      ...this.#options,
      projectPath,
      needsReindexing,
      location: this.#databasePath(projectPath),
      extension: this.#extension,
      leaseHolder: this.#leaseHolder,
    });
    return { database, store };
  }

  async #connect(projectPath: string) {
    const { appDirs, model, dimensions, clock, logger, checkLimitMs } = this.#options;
    prepareDirectory(projectPath, appDirs.of(projectPath));
    return openDatabase({
      projectPath,
      model,
      dimensions,
      clock,
      logger,
      checkLimitMs,
      path: this.#databasePath(projectPath),
      seen: this.#seen,
      stopWaiting: this.#stopWaiting,
    });
  }

  async #close(projectPath: string, database: SqliteDatabase): Promise<void> {
    try {
      await database.close();
    } catch (error) {
      const reason = errorReason(error);
      this.#options.logger.warn('A knowledge store could not be closed.', { projectPath, reason });
    }
    this.#databases.forget(database);
  }
}

interface OpenStore {
  readonly database: SqliteDatabase;
  readonly store: ProjectStore;
}

/** @throws KnowledgeError `store_unavailable` if the file system refuses access */
function translateErrors<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw toKnowledgeError(error);
  }
}
