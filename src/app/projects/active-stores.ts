import type { Clock } from '../../ports/driven/clock.js';
import type { ProjectStore, ProjectStores } from '../../ports/driven/project-stores.js';

/** What the active stores of a process contain together. */
export interface StoreTotals {
  readonly stores: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly pendingVectors: number;
  readonly pendingQuestions: number;
}

/**
 * Stores that know which of them are active: used within the last minute, or not done with their
 * background work when they were last counted. Only these are counted, because counting a store that was
 * closed for want of use would open it again.
 */
export class ActiveStores implements ProjectStores {
  readonly #stores: ProjectStores;
  readonly #clock: Clock;
  readonly #known = new Map<string, KnownStore>();

  constructor(stores: ProjectStores, clock: Clock) {
    this.#stores = stores;
    this.#clock = clock;
  }

  async open(projectPath: string): Promise<ProjectStore> {
    return this.#used(projectPath, await this.#stores.open(projectPath));
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    const store = await this.#stores.find(projectPath);
    return store && this.#used(projectPath, store);
  }

  locationOf(projectPath: string): string {
    return this.#stores.locationOf(projectPath);
  }

  async close(): Promise<void> {
    this.#known.clear();
    await this.#stores.close();
  }

  count(): number {
    this.#forgetInactive();
    return this.#known.size;
  }

  /** A store that cannot be read is counted as empty. */
  async totals(): Promise<StoreTotals> {
    this.#forgetInactive();
    const counted = await Promise.all([...this.#known.values()].map(count));
    const sum = (of: (counts: Counts) => number) =>
      counted.reduce((total, counts) => total + of(counts), 0);
    return {
      stores: counted.length,
      chunks: sum(({ chunks }) => chunks),
      bytes: sum(({ bytes }) => bytes),
      pendingVectors: sum(({ pendingVectors }) => pendingVectors),
      pendingQuestions: sum(({ pendingQuestions }) => pendingQuestions),
    };
  }

  #used(projectPath: string, store: ProjectStore): ProjectStore {
    this.#known.set(projectPath, { store, usedAt: this.#clock.monotonic(), hasWork: false });
    return store;
  }

  #forgetInactive(): void {
    const now = this.#clock.monotonic();
    for (const [path, { usedAt, hasWork }] of this.#known) {
      if (!hasWork && now - usedAt > ACTIVE_MS) this.#known.delete(path);
    }
  }
}

const ACTIVE_MS = 60_000;

interface KnownStore {
  readonly store: ProjectStore;
  readonly usedAt: number;
  hasWork: boolean;
}

type Counts = Omit<StoreTotals, 'stores'>;

const NOTHING: Counts = { chunks: 0, bytes: 0, pendingVectors: 0, pendingQuestions: 0 };

async function count(known: KnownStore): Promise<Counts> {
  const counts = await countsOf(known.store).catch(() => NOTHING);
  known.hasWork = counts.pendingVectors + counts.pendingQuestions > 0;
  return counts;
}

async function countsOf({ chunks, vectors, questionVectors }: ProjectStore): Promise<Counts> {
  const { totalChunks, sizeBytes } = await chunks.stats();
  return {
    chunks: totalChunks,
    bytes: sizeBytes,
    pendingVectors: (await vectors.status()).pending,
    pendingQuestions: (await questionVectors.status()).pending,
  };
}
