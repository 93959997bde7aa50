import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import type { Clock } from '../../ports/driven/clock.js';
import { callStore, forwardingStore, type StoreCall } from '../../ports/driven/forwarding-store.js';
import type { Logger } from '../../ports/driven/logger.js';
import type {
  ProjectStore,
  ProjectStores,
  ReleasableStores,
} from '../../ports/driven/project-stores.js';
import type { IdleProjects } from './idle-projects.js';

export interface ClosingStoresOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly idle: IdleProjects;
  /** How long a store stays open that nobody uses. */
  readonly idleMs: number;
  /** Most stores that are open at once, apart from those with a call under way. */
  readonly maxOpen: number;
}

/**
 * Closes the stores that nobody has used for a while, and the least recently used ones where too many
 * are open. Callers do not notice: a store that they hold is opened again by their next call, and none
 * is closed while a call is under way.
 */
export class ClosingStores implements ProjectStores {
  readonly #stores: ReleasableStores;
  readonly #options: ClosingStoresOptions;
  readonly #handles = new Map<string, Handle>();
  /** Handles that were used since they were last closed as idle, the least recently used first. */
  readonly #active = new Set<Handle>();
  readonly #closing = new AbortController();
  #openCount = 0;
  #isWatching = false;

  constructor(stores: ReleasableStores, options: ClosingStoresOptions) {
    this.#stores = stores;
    this.#options = options;
  }

  async open(projectPath: string): Promise<ProjectStore> {
    return this.#whileOpen(projectPath, async () => {
      const opened = await this.#stores.open(projectPath);
      return this.#handleOf(projectPath, opened).store;
    });
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    return this.#whileOpen(projectPath, async () => {
      const opened = await this.#stores.find(projectPath);
      return opened && this.#handleOf(projectPath, opened).store;
    });
  }

  locationOf(projectPath: string): string {
    return this.#stores.locationOf(projectPath);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#stores.close();
  }

  async #whileOpen<T>(projectPath: string, work: () => Promise<T>): Promise<T> {
    const known = this.#handles.get(projectPath);
    return known === undefined ? work() : duringCall(known, work);
  }

  /** A store that was replaced on the disk has another handle, so that its users notice. */
  #handleOf(projectPath: string, opened: ProjectStore): Handle {
    const known = this.#handles.get(projectPath);
    if (known !== undefined && (known.opened ?? opened) === opened) {
      this.#opened(known, opened);
      return known;
    }
    if (known !== undefined) this.#replaced(known);
    const store = forwardingStore((call) => this.#call(handle, call));
    const handle: Handle = { projectPath, store, opened: undefined, calls: 0, usedAt: 0 };
    this.#handles.set(projectPath, handle);
    this.#opened(handle, opened);
    return handle;
  }

  async #call(handle: Handle, call: StoreCall): Promise<unknown> {
    const result = duringCall(handle, async () => {
      this.#use(handle);
      return callStore(handle.opened ?? (await this.#openAgain(handle)), call);
    });
    return result.finally(() => this.#closeSurplus());
  }

  /** Never creates a store: its directory may have been removed since. */
  async #openAgain(handle: Handle): Promise<ProjectStore> {
    const opened = await this.#stores.find(handle.projectPath);
    if (opened === undefined) {
      throw new KnowledgeError('store_unavailable', 'The knowledge store was removed; try again.');
    }
    this.#opened(handle, opened);
    return opened;
  }

  #opened(handle: Handle, opened: ProjectStore): void {
    this.#use(handle);
    if (handle.opened === opened) return;
    if (handle.opened === undefined) this.#openCount += 1;
    handle.opened = opened;
    this.#closeSurplus();
  }

  #use(handle: Handle): void {
    if (this.#handles.get(handle.projectPath) !== handle) return;
    handle.usedAt = this.#options.clock.monotonic();
    this.#active.delete(handle);
    this.#active.add(handle);
    if (!this.#isWatching) void this.#watch();
  }

  #closeSurplus(): void {
    const surplus = this.#openCount - this.#options.maxOpen;
    if (surplus <= 0) return;
    const unused = [...this.#active]
      .slice(0, -1)
      .filter(({ opened, calls }) => opened !== undefined && calls === 0);
    for (const handle of unused.slice(0, surplus)) void this.#release(handle);
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    const { clock, idleMs } = this.#options;
    const { signal } = this.#closing;
    while (this.#active.size > 0 && !signal.aborted) {
      const [oldest] = this.#active;
      const due = (oldest?.usedAt ?? 0) + idleMs - clock.monotonic();
      if (due > 0) await clock.sleep(due, signal);
      else if (oldest !== undefined) await this.#closeIdle(oldest);
    }
    this.#isWatching = false;
  }

  async #closeIdle(handle: Handle): Promise<void> {
    if (handle.calls > 0) return this.#use(handle);
    this.#active.delete(handle);
    const { projectPath } = handle;
    try {
      await this.#options.idle.report(projectPath);
    } catch (error) {
      const reason = reasonOf(error);
      this.#options.logger.warn('The background work of an idle project could not be stopped.', {
        projectPath,
        reason,
      });
    }
    if (handle.calls === 0) await this.#release(handle);
  }

  /** The former handle keeps its closed store, whose calls fail with `store_unavailable`. */
  #replaced(handle: Handle): void {
    this.#active.delete(handle);
    this.#openCount -= 1;
  }

  async #release(handle: Handle): Promise<void> {
    if (handle.opened === undefined) return;
    handle.opened = undefined;
    this.#openCount -= 1;
    await this.#stores.release(handle.projectPath);
  }
}

/** What callers hold of a store, and the store itself while it is open. */
interface Handle {
  readonly projectPath: string;
  readonly store: ProjectStore;
  opened: ProjectStore | undefined;
  /** Calls under way, during which the store stays open. */
  calls: number;
  /** On the monotonic clock. */
  usedAt: number;
}

async function duringCall<T>(handle: Handle, work: () => Promise<T>): Promise<T> {
  handle.calls += 1;
  try {
    return await work();
  } finally {
    handle.calls -= 1;
  }
}
