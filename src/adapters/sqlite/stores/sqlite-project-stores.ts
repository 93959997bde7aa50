import { KnowledgeError, reasonOf } from '../../../domain/errors.js';
import { IdleEntries } from '../../../domain/idle-entries.js';
import { OPEN_PROJECTS_MAX, PROJECT_IDLE_SECONDS } from '../../../domain/limits.js';
import type { ProjectStore, ReleasableStores } from '../../../ports/driven/project-stores.js';
import type { StoreClaims } from '../../../ports/driven/store-claims.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { databasePath, hasDatabase } from '../database/store-files.js';
import { type LoadExtension, loadSqliteVec, VectorExtension } from '../vectors/vector-extension.js';
import { newLeaseHolder } from './sqlite-leases.js';
import { type OpenStore, StoreOpener, type StoreOpenerOptions } from './store-opener.js';

export interface SqliteProjectStoresOptions
  extends Omit<
    StoreOpenerOptions,
    'extension' | 'codesFrom' | 'leaseHolder' | 'claims' | 'stopWaiting'
  > {
  /** From so many vectors on, the nearest are first looked for by their codes; default 5,000. */
  readonly codesFrom?: number;
  /** How long a database stays open that nobody uses; default 5 minutes. */
  readonly idleMs?: number;
  /** Most databases that are open at once, apart from those in use; default 100. */
  readonly maxOpen?: number;
  /** Default: there is no other process. */
  readonly claims?: StoreClaims;
  /** In whose name leases are taken; by default another one for each instance. */
  readonly leaseHolder?: string;
  /** Loads sqlite-vec; where it throws, searches use keywords only. */
  readonly loadExtension?: LoadExtension;
  /** Once it is aborted, a lock that another process holds is no longer waited for. */
  readonly stopWaiting?: AbortSignal;
}

/** Comparing fewer vectors takes no longer. */
const CODES_FROM = 5000;

/** One SQLite file per project, `{projectPath}/<appdir>/knowledge.db`, which is open while the project is in use. */
export class SqliteProjectStores implements ReleasableStores {
  readonly #options: SqliteProjectStoresOptions;
  readonly #claims: StoreClaims;
  readonly #opener: StoreOpener;
  readonly #databases: IdleEntries<ProjectDatabase>;
  readonly #open = new Map<string, Promise<OpenStore>>();
  /** Stores that are being closed; their files are opened again only after that. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #suspects = new Set<string>();
  readonly #stopping = new AbortController();

  constructor(options: SqliteProjectStoresOptions) {
    this.#options = options;
    const { loadExtension = loadSqliteVec, stopWaiting = this.#stopping.signal } = options;
    const { clock, idleMs = PROJECT_IDLE_SECONDS * 1000, maxOpen = OPEN_PROJECTS_MAX } = options;
    this.#claims = options.claims ?? { exclusively: (_, act) => act() };
    this.#databases = new IdleEntries({
      clock,
      idleMs,
      most: maxOpen,
      giveUp: (database) => database.closeIfUnused(),
    });
    this.#opener = new StoreOpener({
      codesFrom: CODES_FROM,
      ...options,
      claims: this.#claims,
      extension: new VectorExtension(loadExtension, options.logger),
      leaseHolder: options.leaseHolder ?? newLeaseHolder(),
      stopWaiting: AbortSignal.any([this.#stopping.signal, stopWaiting]),
    });
  }

  async open(projectPath: string): Promise<ProjectStore> {
    this.#assertOpen();
    const opening = this.#open.get(projectPath) ?? this.#remember(projectPath);
    const opened = await opening;
    if (opened.isCurrent()) return opened.store;
    await this.#closeReplaced(projectPath, opening);
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

  /** All processes close the files before others are opened at their path. */
  async #closeReplaced(projectPath: string, opening: Promise<OpenStore>): Promise<void> {
    await this.#claims.exclusively(projectPath, async () => {
      if (this.#open.get(projectPath) === opening) await this.release(projectPath);
    });
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
    const mode = this.#suspects.has(projectPath) ? 'suspect' : 'trusted';
    const onDamage = () => this.#suspect(projectPath);
    const onUse = (database: ProjectDatabase, moment: 'begins' | 'ends') => {
      if (moment === 'begins') this.#databases.use(database);
      else this.#databases.giveUpSurplus();
    };
    const opened = await this.#opener.open({ projectPath, mode, onDamage, onUse });
    this.#suspects.delete(projectPath);
    return opened;
  }

  /** Opens it again at once, which checks it, repairs what is derived, and replaces it if it is damaged. */
  #suspect(projectPath: string): void {
    this.#suspects.add(projectPath);
    if (!this.#open.has(projectPath)) return;
    this.#abandon(projectPath);
    if (!this.#stopping.signal.aborted) this.find(projectPath).catch(() => undefined);
  }

  /** Closes a store; the next use opens what is there then. */
  #abandon(projectPath: string): void {
    const opening = this.#open.get(projectPath);
    if (opening === undefined) return;
    this.#open.delete(projectPath);
    const previous = this.#closing.get(projectPath);
    const closing: Promise<void> = opening
      .then(
        (opened) => this.#close(opened),
        () => undefined,
      )
      .catch((error: unknown) => {
        const reason = reasonOf(error);
        this.#options.logger.warn('A knowledge store was not closed.', { projectPath, reason });
      })
      .then(() => previous)
      .then(() => this.#forgetClosing(projectPath, closing));
    this.#closing.set(projectPath, closing);
  }

  async #close(opened: OpenStore): Promise<void> {
    await opened.database.close();
    this.#databases.forget(opened.database);
  }

  #forgetClosing(projectPath: string, closing: Promise<void>): void {
    if (this.#closing.get(projectPath) === closing) this.#closing.delete(projectPath);
  }
}
