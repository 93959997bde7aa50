import { QUERY_VECTORS_KEPT } from '../../domain/limits.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { Embedder } from '../../ports/driven/embedder.js';

/**
 * The vectors of queries. The most recently used ones are remembered by their text, and callers that
 * ask for the same text at once share one run of the model.
 */
export class QueryVectors {
  readonly #embedder: Pick<Embedder, 'embed'>;
  /** The least recently used first. */
  readonly #known = new Map<string, Vector>();
  readonly #running = new Map<string, Run>();

  constructor(embedder: Pick<Embedder, 'embed'>) {
    this.#embedder = embedder;
  }

  /**
   * The vector of a text; must not be changed. The run ends early once all who wait for it have aborted.
   * @throws KnowledgeError as `Embedder.embed` does; the reason of `signal` once it is aborted
   */
  async of(text: string, signal: AbortSignal): Promise<Vector> {
    signal.throwIfAborted();
    const known = this.#known.get(text);
    if (known !== undefined) {
      this.#remember(text, known);
      return known;
    }
    const run = this.#running.get(text) ?? this.#start(text);
    run.waiting += 1;
    try {
      return await unlessAborted(run.vector, signal);
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0) this.#end(text, run);
    }
  }

  #start(text: string): Run {
    const abandoned = new AbortController();
    const vector = this.#embedder.embed(text, abandoned.signal);
    const run = { vector, abandoned, waiting: 0 };
    this.#running.set(text, run);
    vector.then(
      (value) => this.#remember(text, value),
      () => this.#forget(text, run),
    );
    return run;
  }

  #remember(text: string, vector: Vector): void {
    this.#running.delete(text);
    this.#known.delete(text);
    this.#known.set(text, vector);
    if (this.#known.size <= QUERY_VECTORS_KEPT) return;
    const [oldest = ''] = this.#known.keys();
    this.#known.delete(oldest);
  }

  #end(text: string, run: Run): void {
    run.abandoned.abort();
    this.#forget(text, run);
  }

  #forget(text: string, run: Run): void {
    if (this.#running.get(text) === run) this.#running.delete(text);
  }
}

interface Run {
  readonly vector: Promise<Vector>;
  readonly abandoned: AbortController;
  /** How many callers wait for the vector. */
  waiting: number;
}

/** Settles as `work` does, unless the signal is aborted first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
