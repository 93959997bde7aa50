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
    const options = { priority: 'background', maxCalls: Number.POSITIVE_INFINITY } as const;
    this.#queues = Array.from({ length: threads }, () => new EmbeddingQueue(loader, options));
    this.#clock = clock;
  }

  /**
   * The vectors of texts, in their order.
   * @throws KnowledgeError `model_unavailable`
   */
  async embed(texts: readonly string[]): Promise<readonly Vector[]> {
    this.#pause.abort();
    this.#calls += 1;
    try {
      return await this.#spread(texts);
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0) void this.#endWhenIdle();
    }
  }

  async close(): Promise<void> {
    this.#pause.abort();
    await Promise.all(this.#queues.map((queue) => queue.close()));
  }

  async #spread(texts: readonly string[]): Promise<readonly Vector[]> {
    const waiting = [...texts.entries()];
    const vectors = new Map<number, readonly Vector[]>();
    const work = async (queue: EmbeddingQueue): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [place, text] = next;
        vectors.set(place, await queue.embed([text]));
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
