import { KnowledgeError } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import type { ProjectStore, ProjectStores } from '../../../ports/project-stores.js';
import type { VectorModel } from '../../../ports/vector-index.js';
import { configure, memoryConnection } from '../database/connection.js';
import type { Database } from '../database/driver.js';
import { createInMemory } from '../database/own-schema.js';
import { SqliteDatabase } from '../database/sqlite-database.js';
import { loadSqliteVec, VectorExtension } from '../vectors/vector-extension.js';
import { createProjectStore } from './sqlite-project-store.js';
import { newLeaseHolder } from './sqlite-upkeep.js';

export interface StoresInMemoryOptions extends VectorModel {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The databases of all projects, keyed by project path. Pass the same map to share them between stores. */
  readonly databases?: Map<string, Database>;
}

/** Keeps one SQLite database per project in memory. Writes no file; everything is lost when the process ends. */
export class SqliteStoresInMemory implements ProjectStores {
  readonly #options: StoresInMemoryOptions;
  readonly #databases: Map<string, Database>;
  readonly #stores = new Map<string, ProjectStore>();
  readonly #extension: VectorExtension;
  readonly #leaseHolder = newLeaseHolder();
  readonly #closing = new AbortController();

  constructor(options: StoresInMemoryOptions) {
    this.#options = options;
    this.#databases = options.databases ?? new Map();
    this.#extension = new VectorExtension(loadSqliteVec, options.logger);
  }

  async open(projectPath: string): Promise<ProjectStore> {
    this.#assertOpen();
    const store = this.#stores.get(projectPath) ?? this.#create(projectPath);
    this.#stores.set(projectPath, store);
    return store;
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    this.#assertOpen();
    return this.#databases.has(projectPath) ? this.open(projectPath) : undefined;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stores.clear();
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted)
      throw new KnowledgeError('store_unavailable', 'The service is stopping.');
  }

  #create(projectPath: string): ProjectStore {
    const db = this.#databases.get(projectPath) ?? configure(createInMemory());
    this.#databases.set(projectPath, db);
    const database = new SqliteDatabase({
      connect: async () => memoryConnection(db),
      onDamage: () => undefined,
      stopWaiting: this.#closing.signal,
    });
    return createProjectStore(database, {
      ...this.#options,
      projectPath,
      location: `:memory:${projectPath}`,
      needsReindexing: false,
      extension: this.#extension,
      leaseHolder: this.#leaseHolder,
    });
  }
}
