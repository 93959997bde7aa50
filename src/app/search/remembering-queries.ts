import { QUERY_VECTORS_KEPT } from '../../domain/limits.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import { embedderWith } from '../embedder-with.js';

/** An embedder that remembers the vectors of queries, which must not be changed. */
export function rememberingQueries(embedder: Embedder): Embedder {
  const queries = new RememberedQueries(embedder);
  return embedderWith(embedder, { embed: (text, signal) => queries.embed(text, signal) });
}

/** The vector of a text, and while it is being made, the run of the model. */
interface Remembered {
  readonly vector: Promise<Vector>;
  run: Run | undefined;
}

interface Run {
  readonly stop: AbortController;
  /** How many have asked for it and not given up. */
  waiting: number;
}

/** Embeds a query once for all who ask for it at the same time, until the last of them gives up, and remembers those asked for last. */
class RememberedQueries {
  readonly #embedder: Embedder;
  /** By text; the least recently used first. */
  readonly #known = new Map<string, Remembered>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  embed(text: string, signal?: AbortSignal): Promise<Vector> {
    const one = this.#known.get(text) ?? this.#begin(text);
    this.#known.delete(text);
    this.#known.set(text, one);
    const [oldest = ''] = this.#known.keys();
    if (this.#known.size > QUERY_VECTORS_KEPT) this.#known.delete(oldest);
    const { vector, run } = one;
    if (run === undefined) return vector;
    run.waiting += 1;
    const giveUp = () => {
      run.waiting -= 1;
      if (run.waiting > 0) return;
      this.#forget(text, one);
      run.stop.abort();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    return vector.finally(() => signal?.removeEventListener('abort', giveUp));
  }

  #begin(text: string): Remembered {
    const run: Run = { stop: new AbortController(), waiting: 0 };
    const one: Remembered = { vector: this.#embedder.embed(text, run.stop.signal), run };
    one.vector.then(
      () => {
        one.run = undefined;
      },
      () => this.#forget(text, one),
    );
    return one;
  }

  #forget(text: string, one: Remembered): void {
    if (this.#known.get(text) === one) this.#known.delete(text);
  }
}
