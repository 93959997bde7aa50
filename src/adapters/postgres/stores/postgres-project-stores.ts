import { KnowledgeError } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import type { ProjectKeys } from '../../../ports/project-directories.js';
import type { ProjectStore, ProjectStores } from '../../../ports/project-stores.js';
import type { VectorModel } from '../../../ports/vector-index.js';
import { serverUrls } from '../../../shared/database-url.js';
import { PostgresCitations } from '../chunks/postgres-citations.js';
import { PostgresSourceRepository } from '../chunks/postgres-source-repository.js';
import { PostgresDatabase, type ProjectContext } from '../database/postgres-database.js';
import { isConnectionLoss, retry } from '../database/postgres-errors.js';
import { schemaName } from '../database/project-schema.js';
import { findProject, openSchema, prepareDatabase } from '../database/registry.js';
import { PostgresKeywordIndex } from '../keyword/postgres-keyword-index.js';
import { PostgresVectorIndex } from '../vectors/postgres-vector-index.js';
import { PostgresUpkeep } from './postgres-upkeep.js';

interface PostgresStoresOptions extends VectorModel {
  /** `postgres://user:password@host:port/database`, or `…@host:port,host:port/database`. */
  readonly url: string;
  /** Keys by which instances on several machines recognize the same project. */
  readonly keys: ProjectKeys;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Maximum number of connections per process; default 8. */
  readonly connections?: number;
  /** SQL expression for the current time of leases; by default the server's clock. */
  readonly leaseTime?: () => string;
  /** Aborted when the service begins to stop. */
  readonly stopping?: AbortSignal;
}

/** A store, and the key that its directory had when it was opened. */
interface OpenProject {
  readonly key: string;
  readonly store: Promise<ProjectStore>;
}

/**
 * Keeps one schema per project in one PostgreSQL database, so that each project has its own BM25 statistics. Each
 * `open` and `find` reads the key of the directory: if it has changed, the directory now belongs to another project.
 */
export class PostgresProjectStores implements ProjectStores {
  readonly #options: PostgresStoresOptions;
  readonly #database: PostgresDatabase;
  readonly #open = new Map<string, OpenProject>();
  #prepared: Promise<void> | undefined;
  #isReached = false;
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
   * Resolves once the server answers and the shared objects exist in the database; creates them if needed.
   * @throws KnowledgeError `store_unavailable`, `overloaded`
   */
  async connect(): Promise<void> {
    const { clock } = this.#options;
    const pause = async (error: unknown) => {
      if (!isConnectionLoss(error)) return false;
      await clock.sleep(PAUSE_BETWEEN_ATTEMPTS_MS);
      return true;
    };
    await retry(this.#isReached ? 1 : CONNECTION_ATTEMPTS, pause, () => this.#prepare());
    this.#isReached = true;
    await this.#database.read((session) => session.query('SELECT 1'));
  }

  async open(projectPath: string): Promise<ProjectStore> {
    this.#assertOpen();
    const key = await this.#options.keys.open(projectPath);
    return this.#ofKey(projectPath, key)?.store ?? this.#remember(projectPath, key);
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    this.#assertOpen();
    const key = await this.#options.keys.find(projectPath);
    const known = this.#ofKey(projectPath, key);
    if (key === undefined || known !== undefined) return known?.store;
    await this.#prepare();
    const project = await this.#database.read((session) => findProject(session, schemaName(key)));
    return project === undefined ? undefined : this.open(projectPath);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#open.values()].map(({ store }) => store));
    await this.#database.close();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new KnowledgeError('store_unavailable', 'The service is stopping.');
  }

  /** The open store of a directory, if it was opened with this key. Forgets one that was opened with another key. */
  #ofKey(projectPath: string, key: string | undefined): OpenProject | undefined {
    const known = this.#open.get(projectPath);
    if (known === undefined || known.key === key) return known;
    this.#open.delete(projectPath);
    return undefined;
  }

  #remember(projectPath: string, key: string): Promise<ProjectStore> {
    const opened = { key, store: this.#openStore(projectPath, key) };
    this.#open.set(projectPath, opened);
    opened.store.catch(() => {
      if (this.#open.get(projectPath) === opened) this.#open.delete(projectPath);
    });
    return opened.store;
  }

  async #openStore(projectPath: string, key: string): Promise<ProjectStore> {
    const { clock, keys } = this.#options;
    const schema = schemaName(key);
    await this.#prepare();
    const hasKey = async (directory: string) =>
      (await keys.find(directory).catch(() => undefined)) === key;
    const opened = { schema, directory: projectPath, hasKey };
    const needsReindexing = await openSchema(this.#database, opened);
    const project = { database: this.#database, schema, projectPath, clock };
    const location = `${serverLocation(this.#options.url)}#${projectPath}`;
    return createProjectStore(project, { ...this.#options, location, needsReindexing });
  }

  #prepare(): Promise<void> {
    this.#prepared ??= prepareDatabase(this.#database).catch((error) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }
}

/** Gives a server that is started together with the service a moment to become ready. */
const CONNECTION_ATTEMPTS = 4;
const PAUSE_BETWEEN_ATTEMPTS_MS = 1000;
const DEFAULT_CONNECTIONS = 8;

/** The location of a database for display, without user, password and options. */
function serverLocation(url: string): string {
  const servers = serverUrls(url).map((server) => new URL(server));
  const { pathname = '' } = servers[0] ?? {};
  return `postgres://${servers.map(({ host }) => host).join(',')}${pathname}`;
}

interface ProjectStoreOptions extends VectorModel {
  /** Where the data is, as the store reports it. */
  readonly location: string;
  readonly needsReindexing: boolean;
  /** SQL expression for the current time of leases. */
  readonly leaseTime?: (() => string) | undefined;
}

/** Everything that is stored for one project, in its schema. */
function createProjectStore(project: ProjectContext, options: ProjectStoreOptions): ProjectStore {
  const { location, needsReindexing, model, dimensions, leaseTime } = options;
  const vectors = new PostgresVectorIndex(project, { model, dimensions });
  return {
    location,
    needsReindexing,
    chunks: new PostgresSourceRepository(project, model),
    keywords: new PostgresKeywordIndex(project),
    citations: new PostgresCitations(project),
    vectors,
    upkeep: new PostgresUpkeep(project, { model, vectors, leaseTime }),
  };
}
