import { KnowledgeError } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type { Logger } from '../../../ports/driven/logger.js';
import type { ProjectKeys } from '../../../ports/driven/project-keys.js';
import type { ProjectStore, ProjectStores } from '../../../ports/driven/project-stores.js';
import { PostgresDatabase } from '../connection/postgres-database.js';
import { isConnectionLoss } from '../connection/postgres-errors.js';
import { serverLocation } from '../connection/server-location.js';
import { openSchema } from '../schema/open-schema.js';
import { schemaName } from '../schema/project-schema.js';
import { findProject, prepareDatabase } from '../schema/registry.js';
import { createProjectStore, type IndexThresholds } from './postgres-project-store.js';

export interface PostgresStoresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** The keys of projects, by which instances on several machines know that they mean the same one. */
  readonly keys: ProjectKeys;
  /** The embedding model whose vectors count. */
  readonly model: string;
  /** Values of a vector of that model. */
  readonly dimensions: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Most connections of this process; default 8. */
  readonly connections?: number;
  /** Default 2,000 and 50,000 chunks. */
  readonly thresholds?: IndexThresholds;
  /** The present time of leases as an SQL expression; by default that of the server. */
  readonly leaseTime?: () => string;
}

/** One schema per project in one PostgreSQL database, so that the statistics of BM25 stay apart. */
export class PostgresProjectStores implements ProjectStores {
  readonly #options: PostgresStoresOptions;
  readonly #database: PostgresDatabase;
  readonly #open = new Map<string, Promise<ProjectStore>>();
  #prepared: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: PostgresStoresOptions) {
    this.#options = options;
    const { connections = DEFAULT_CONNECTIONS } = options;
    const onMissingObject = () => {
      this.#open.clear();
      this.#prepared = undefined;
    };
    this.#database = new PostgresDatabase({ ...options, connections, onMissingObject });
  }

  /**
   * Connects to the server, and creates in the database what all projects share.
   * @throws KnowledgeError `store_unavailable`
   */
  async connect(): Promise<void> {
    const { clock } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#prepare();
      } catch (error) {
        if (attempt === CONNECTION_ATTEMPTS || !isConnectionLoss(error)) throw error;
        await clock.sleep(PAUSE_BETWEEN_ATTEMPTS_MS);
      }
    }
  }

  async open(projectPath: string): Promise<ProjectStore> {
    this.#assertOpen();
    return this.#open.get(projectPath) ?? this.#remember(projectPath);
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    this.#assertOpen();
    if (this.#open.has(projectPath)) return this.open(projectPath);
    const key = await this.#options.keys.find(projectPath);
    if (key === undefined) return undefined;
    await this.#prepare();
    const known = await this.#database.read((session) => findProject(session, schemaName(key)));
    return known === undefined ? undefined : this.open(projectPath);
  }

  locationOf(projectPath: string): string {
    return `${serverLocation(this.#options.url)}#${projectPath}`;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#open.values());
    await this.#database.close();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new KnowledgeError('store_unavailable', 'The service is stopping.');
  }

  #remember(projectPath: string): Promise<ProjectStore> {
    const opening = this.#openStore(projectPath);
    this.#open.set(projectPath, opening);
    opening.catch(() => this.#forget(projectPath, opening));
    return opening;
  }

  #forget(projectPath: string, opening: Promise<ProjectStore>): void {
    if (this.#open.get(projectPath) === opening) this.#open.delete(projectPath);
  }

  async #openStore(projectPath: string): Promise<ProjectStore> {
    const { keys, clock, logger, thresholds = DEFAULT_THRESHOLDS } = this.#options;
    const schema = schemaName(await keys.open(projectPath));
    await this.#prepare();
    await openSchema(this.#database, schema, logger);
    const project = { database: this.#database, schema, projectPath, clock };
    const { store, indexes } = createProjectStore(project, { ...this.#options, thresholds });
    await indexes.prepare();
    return store;
  }

  #prepare(): Promise<void> {
    this.#prepared ??= prepareDatabase(this.#database, this.#options.logger).catch((error) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }
}

/** A server that is started together with the service has a moment to become ready. */
const CONNECTION_ATTEMPTS = 4;
const PAUSE_BETWEEN_ATTEMPTS_MS = 1000;
const DEFAULT_CONNECTIONS = 8;
const DEFAULT_THRESHOLDS: IndexThresholds = { keyword: 2000, neighbours: 50_000 };
