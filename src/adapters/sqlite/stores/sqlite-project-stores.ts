import { KnowledgeError, reasonOf } from '../../../domain/errors.js';
import { IdleEntries } from '../../../domain/idle-entries.js';
import { OPEN_PROJECTS_MAX, PROJECT_IDLE_MS } from '../../../domain/limits.js';
import type { ProjectStore, ProjectStores } from '../../../ports/driven/project-stores.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { databasePath, hasDatabase } from '../database/store-files.js';
import { type LoadExtension, loadSqliteVec, VectorExtension } from '../vectors/vector-extension.js';
import { newLeaseHolder } from './sqlite-leases.js';
import {
  type Opening,
  type OpenStore,
  openStore,
  type StoreOpenerOptions,
} from './store-opener.js';

/** By default there is no other process, and each instance takes leases in a name of its own. */
type WithDefault = 'codesFrom' | 'leaseHolder' | 'stopWaiting';

export interface SqliteProjectStoresOptions
  extends Omit<StoreOpenerOptions, 'extension' | WithDefault>,
    Partial<Pick<StoreOpenerOptions, WithDefault>> {
  /** How long a database stays open that nobody uses; default 5 minutes. */
  readonly idleMs?: number;
  /** Most databases that are open at once, apart from those in use; default 100. */
  readonly maxOpen?: number;
  /** Called when the store of a project was opened again because it was damaged: who holds the former one must take this one. */
  readonly onReopened?: (projectPath: string) => void;
  /** Loads sqlite-vec; where it throws, searches use keywords only. */
  readonly loadExtension?: LoadExtension;
}

/** Comparing fewer vectors takes no longer. */
const CODES_FROM = 5000;

/** One SQLite file per project, `{projectPath}/<appdir>/knowledge.db`, which is open while the project is in use. */
export class SqliteProjectStores implements ProjectStores {
  readonly #options: StoreOpenerOptions;
  readonly #databases: IdleEntries<ProjectDatabase>;
  readonly #open = new Map<string, Promise<OpenStore>>();
  /** Stores that are being closed; their files are opened again only after that. */
  readonly #closing = new Map<string, Promise<unknown>>();
  readonly #suspects = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #onReopened: SqliteProjectStoresOptions['onReopened'];

  constructor(options: SqliteProjectStoresOptions) {
    const { loadExtension = loadSqliteVec, stopWaiting = this.#stopping.signal } = options;
    this.#onReopened = options.onReopened;
    const { clock, idleMs = PROJECT_IDLE_MS, maxOpen = OPEN_PROJECTS_MAX } = options;
    this.#databases = new IdleEntries({
      clock,
      idleMs,
      most: maxOpen,
      giveUp: (database) => database.closeIfUnused(),
    });
    this.#options = {
      codesFrom: CODES_FROM,
      leaseHolder: newLeaseHolder(),
      ...options,
      extension: new VectorExtension(loadExtension, options.logger),
      stopWaiting: AbortSignal.any([this.#stopping.signal, stopWaiting]),
    };
  }

  async open(projectPath: string): Promise<ProjectStore> {
    this.#assertOpen();
    const opening = this.#open.get(projectPath) ?? this.#remember(projectPath);
    const opened = await opening;
    if (opened.isCurrent()) return opened.store;
    if (this.#open.get(projectPath) === opening) await this.release(projectPath);
    return (await (this.#open.get(projectPath) ?? this.#remember(projectPath))).store;
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    this.#assertOpen();
    const exists = hasDatabase(projectPath, this.#options.appDirs.of(projectPath));
    return exists ? this.open(projectPath) : undefined;
  }

  locationOf(projectPath: string): string {
    return databasePath(projectPath, this.#options.appDirs.of(projectPath));
  }

  async release(projectPath: string): Promise<void> {
    this.#abandon(projectPath);
    await this.#closing.get(projectPath);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#databases.stop();
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
    opening.catch(() => forget(this.#open, projectPath, opening));
    return opening;
  }

  async #openStore(projectPath: string): Promise<OpenStore> {
    await this.#closing.get(projectPath);
    const opening: Opening = {
      projectPath,
      mode: this.#suspects.has(projectPath) ? 'suspect' : 'trusted',
      onDamage: () => this.#suspect(projectPath),
      onUse: (database, moment) =>
        moment === 'begins' ? this.#databases.use(database) : this.#databases.giveUpSurplus(),
    };
    const opened = await openStore(opening, this.#options);
    this.#suspects.delete(projectPath);
    return opened;
  }

  /** Opens it again at once, which checks it, repairs what is derived, and replaces it if it is damaged. */
  #suspect(projectPath: string): void {
    this.#suspects.add(projectPath);
    if (!this.#open.has(projectPath)) return;
    this.#abandon(projectPath);
    if (this.#stopping.signal.aborted) return;
    const opened = this.find(projectPath).then(() => this.#onReopened?.(projectPath));
    opened.catch(() => undefined);
  }

  /** Closes a store; the next use opens what is there then. */
  #abandon(projectPath: string): void {
    const opening = this.#open.get(projectPath);
    if (opening === undefined) return;
    this.#open.delete(projectPath);
    const closed = opening.then(
      ({ database }) => this.#close(projectPath, database),
      () => undefined,
    );
    const closing = Promise.all([this.#closing.get(projectPath), closed]);
    this.#closing.set(projectPath, closing);
    void closing.then(() => forget(this.#closing, projectPath, closing));
  }

  async #close(projectPath: string, database: ProjectDatabase): Promise<void> {
    try {
      await database.close();
    } catch (error) {
      const reason = reasonOf(error);
      this.#options.logger.warn('A knowledge store was not closed.', { projectPath, reason });
    }
    this.#databases.forget(database);
  }
}

/** Unless the key has another value by now. */
function forget<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.get(key) === value) map.delete(key);
}
