interface IdleEntriesOptions<Entry> {
  readonly clock: {
    monotonic(): number;
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
  };
  /** How long an unused entry is kept. */
  readonly idleMs: number;
  /** The largest number of unused entries to keep; default: any number. */
  readonly most?: number;
  /** Evicts an entry; returns false if it is in use. Never rejects. */
  readonly evict: (entry: Entry) => boolean | Promise<boolean>;
}

/** Evicts idle entries, and the least recently used ones above a limit. */
export class IdleEntries<Entry> {
  readonly #options: IdleEntriesOptions<Entry>;
  /** When each entry was last used, on the monotonic clock; least recently used first. */
  readonly #usedAt = new Map<Entry, number>();
  readonly #stopping = new AbortController();
  #isWatching = false;

  constructor(options: IdleEntriesOptions<Entry>) {
    this.#options = options;
  }

  use(entry: Entry): void {
    if (this.#stopping.signal.aborted) return;
    this.#usedAt.delete(entry);
    this.#usedAt.set(entry, this.#options.clock.monotonic());
    if (!this.#isWatching) void this.#watch();
  }

  /** Evicts the least recently used entries above the limit. */
  evictSurplus(): void {
    const surplus = this.#usedAt.size - (this.#options.most ?? Number.POSITIVE_INFINITY);
    for (const entry of [...this.#usedAt.keys()].slice(0, Math.max(0, surplus))) {
      void this.#evict(entry);
    }
  }

  forget(entry: Entry): void {
    this.#usedAt.delete(entry);
  }

  /** Stops evicting. */
  stop(): void {
    this.#stopping.abort();
    this.#usedAt.clear();
  }

  async #watch(): Promise<void> {
    this.#isWatching = true;
    const { clock, idleMs } = this.#options;
    for (;;) {
      const [oldest] = this.#usedAt;
      if (oldest === undefined) break;
      const [entry, usedAt] = oldest;
      const due = usedAt + idleMs - clock.monotonic();
      if (due > 0) await clock.sleep(due, this.#stopping.signal);
      else await this.#evict(entry);
    }
    this.#isWatching = false;
  }

  async #evict(entry: Entry): Promise<void> {
    this.#usedAt.delete(entry);
    if (!(await this.#options.evict(entry))) this.use(entry);
  }
}
