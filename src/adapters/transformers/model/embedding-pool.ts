import { availableParallelism, totalmem } from 'node:os';
import type { Vector } from '../../../domain/ranking/vector.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type { ModelLoader } from '../download/model-loader.js';
import { EmbeddingQueue } from './embedding-queue.js';

export interface EmbeddingPoolOptions {
  /** Most threads, at least 1. */
  readonly threads: number;
  readonly clock: Clock;
}

/**
 * Spreads texts over several threads of the lowest priority: each takes the next text when it is done
 * with one. Threads are started when there is a text for them, and end when the pool had nothing to do
 * for a minute, which frees the memory of their models.
 */
export class EmbeddingPool {
  readonly #queues: readonly EmbeddingQueue[];
  readonly #clock: Clock;
  #calls = 0;
  #pause = new AbortController();

  constructor(loader: ModelLoader, { threads, clock }: EmbeddingPoolOptions) {
    this.#queues = Array.from({ length: threads }, () => new EmbeddingQueue(loader, 'background'));
    this.#clock = clock;
  }

  /**
   * The vectors of passages, in their order.
   * @throws KnowledgeError `model_unavailable`
   */
  embed(texts: readonly string[]): Promise<readonly Vector[]> {
    return this.#counted(this.#spread(texts));
  }

  /** Whether a thread is loaded. */
  get isReady(): boolean {
    return this.#queues.some(({ state }) => state === 'ready');
  }

  /**
   * The vector of a query from a thread that is loaded; it waits for the text that the thread is working on.
   * @throws KnowledgeError `model_unavailable`, also when aborted
   */
  embedQuery(text: string, signal?: AbortSignal): Promise<readonly Vector[]> {
    const queue = this.#queues.find(({ state }) => state === 'ready') ?? this.#queues[0];
    const vectors = queue?.embed({ role: 'query', texts: [text] }, signal);
    return this.#counted(vectors ?? Promise.resolve([]));
  }

  async close(): Promise<void> {
    this.#pause.abort();
    await Promise.all(this.#queues.map((queue) => queue.close()));
  }

  /** Threads end only while no call is open. */
  async #counted<T>(call: Promise<T>): Promise<T> {
    this.#pause.abort();
    this.#calls += 1;
    try {
      return await call;
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0) void this.#endWhenIdle();
    }
  }

  async #spread(texts: readonly string[]): Promise<readonly Vector[]> {
    const waiting = [...texts.entries()];
    const vectors = new Map<number, readonly Vector[]>();
    const work = async (queue: EmbeddingQueue): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [place, text] = next;
        vectors.set(place, await queue.embed({ role: 'passage', texts: [text] }));
      }
    };
    try {
      await Promise.all(this.#queues.slice(0, texts.length).map(work));
    } finally {
      // After a failure, the other threads take no further texts of this call.
      waiting.length = 0;
    }
    return texts.flatMap((_, place) => vectors.get(place) ?? []);
  }

  async #endWhenIdle(): Promise<void> {
    this.#pause = new AbortController();
    const { signal } = this.#pause;
    await this.#clock.sleep(IDLE_MS, signal);
    if (!signal.aborted) await this.close();
  }
}

const IDLE_MS = 60_000;

/** A machine, or the part of it that this process may use. */
export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

/**
 * How many threads embed in the background: one per core but one, at most 4, as long as their models take
 * no more than a quarter of the memory. A core is kept free for queries, which would otherwise wait for
 * longer than a search does while a further thread loads its model.
 */
export function backgroundThreads({ cores, memoryBytes }: Machine = thisMachine()): number {
  const fitting = Math.floor(memoryBytes / 4 / BYTES_PER_THREAD);
  return Math.max(1, Math.min(cores - 1, fitting, THREADS_MAX));
}

const THREADS_MAX = 4;
/** Measured with the default model: 160 to 185 MB (docs/operations.md, "Threads"). */
const BYTES_PER_THREAD = 190 * 2 ** 20;

function thisMachine(): Machine {
  const limit = process.constrainedMemory() ?? 0;
  const total = totalmem();
  return {
    cores: availableParallelism(),
    memoryBytes: limit > 0 ? Math.min(limit, total) : total,
  };
}
