import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { ProjectStore, ProjectStores } from '../../ports/driven/project-stores.js';
import type { QuestionGenerator } from '../../ports/driven/question-generator.js';

/** What the active stores of a process contain together. */
export interface StoreTotals {
  readonly stores: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly pendingVectors: number;
  readonly pendingQuestions: number;
}

export interface ActiveStoresPorts {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly embedder: Pick<Embedder, 'state'>;
  readonly questions: Pick<QuestionGenerator, 'isAvailable'>;
}

/**
 * Stores that know which of them are active: used within the last minute, or with background work
 * that could be done when they were last counted. Only these are counted, because counting a store that was
 * closed for want of use would open it again.
 */
export class ActiveStores implements ProjectStores {
  readonly #stores: ProjectStores;
  readonly #ports: ActiveStoresPorts;
  readonly #known = new Map<string, KnownStore>();

  constructor(stores: ProjectStores, ports: ActiveStoresPorts) {
    this.#stores = stores;
    this.#ports = ports;
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
    const counted = await Promise.all([...this.#known.values()].map((store) => this.#count(store)));
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

  async #count(known: KnownStore): Promise<Counts> {
    const counts = await countsOf(known.store).catch(() => NOTHING);
    known.hasWork = this.#isWork(counts);
    return counts;
  }

  /** Without a model nothing is made, however much is pending. */
  #isWork({ pendingVectors, pendingQuestions }: Counts): boolean {
    const { embedder, questions } = this.#ports;
    if (embedder.state() === 'absent') return false;
    return pendingVectors > 0 || (pendingQuestions > 0 && questions.isAvailable());
  }

  #used(projectPath: string, store: ProjectStore): ProjectStore {
    this.#known.set(projectPath, { store, usedAt: this.#ports.clock.monotonic(), hasWork: false });
    return store;
  }

  #forgetInactive(): void {
    const now = this.#ports.clock.monotonic();
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

async function countsOf({ chunks, vectors, questionVectors }: ProjectStore): Promise<Counts> {
  const { totalChunks, sizeBytes } = await chunks.stats();
  return {
    chunks: totalChunks,
    bytes: sizeBytes,
    pendingVectors: (await vectors.status()).pending,
    pendingQuestions: (await questionVectors.status()).pending,
  };
}
