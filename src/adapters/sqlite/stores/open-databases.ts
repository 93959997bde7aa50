import type { Clock } from '../../../ports/driven/clock.js';
import type { ProjectDatabase } from '../database/project-database.js';

export interface OpenDatabasesOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** How long a database stays open that nobody uses. */
  readonly idleMs: number;
  /** Most databases that are open at once, apart from those in use. */
  readonly maxOpen: number;
}

/**
 * The open databases of all projects. Those that nobody has used for a while are closed, and the least recently used ones
 * where too many are open; each is opened again by its next use.
 */
export class OpenDatabases {
  readonly #options: OpenDatabasesOptions;
  /** When each was last used, on the monotonic clock; the least recently used first. */
  readonly #usedAt = new Map<ProjectDatabase, number>();
  readonly #closing = new AbortController();
  #isWatching = false;

  constructor(options: OpenDatabasesOptions) {
    this.#options = options;
  }

  use(database: ProjectDatabase): void {
    if (this.#closing.signal.aborted) return;
    this.#usedAt.delete(database);
    this.#usedAt.set(database, this.#options.clock.monotonic());
    if (!this.#isWatching) void this.#watch();
  }

  /** Closes the least recently used ones where too many are open. */
  closeSurplus(): void {
    for (const database of [...this.#usedAt.keys()].slice(0, -1)) {
      if (this.#usedAt.size <= this.#options.maxOpen) return;
      this.#close(database);
    }
  }

  forget(database: ProjectDatabase): void {
    this.#usedAt.delete(database);
  }

  /** Leaves the databases as they are. */
  stop(): void {
    this.#closing.abort();
    this.#usedAt.clear();
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    const { clock, idleMs } = this.#options;
    for (;;) {
      const [oldest] = this.#usedAt;
      if (oldest === undefined) break;
      const [database, usedAt] = oldest;
      const due = usedAt + idleMs - clock.monotonic();
      if (due > 0) await clock.sleep(due, this.#closing.signal);
      else if (!this.#close(database)) this.use(database);
    }
    this.#isWatching = false;
  }

  #close(database: ProjectDatabase): boolean {
    const isClosed = database.closeIfUnused();
    if (isClosed) this.#usedAt.delete(database);
    return isClosed;
  }
}
