import type { Embedder } from '../../ports/driven/embedder.js';
import type { FromWorker, ModelState, Vectors, WorkerRequest } from './messages.js';
import { resultOf } from './plain-error.js';
import type { WorkerProcess } from './worker-process.js';

type Embedding = WorkerRequest & { readonly name: 'embed' };

/** Lends the one embedder of the service to all workers. */
export class ModelHost {
  readonly #embedder: Embedder;
  readonly #asked = new Map<WorkerProcess, Map<number, AbortController>>();
  #told: ModelState;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
    this.#told = this.state();
  }

  state(): ModelState {
    const { model, dimensions } = this.#embedder;
    return { name: model, dimensions, ...this.#embedder.status() };
  }

  /** Tells the workers if the state of the model, or the reason of its failure, has changed. */
  tell(workers: readonly WorkerProcess[]): void {
    const model = this.state();
    if (model.state === this.#told.state && model.failure === this.#told.failure) return;
    this.#told = model;
    for (const worker of workers) worker.send({ kind: 'model', model });
  }

  async embed(worker: WorkerProcess, id: number, request: Embedding): Promise<void> {
    const asked = this.#asked.get(worker) ?? new Map<number, AbortController>();
    this.#asked.set(worker, asked);
    const waiting = new AbortController();
    asked.set(id, waiting);
    const result = await resultOf(() => this.#vectors(request, waiting.signal));
    asked.delete(id);
    worker.send({ kind: 'reply', id, result });
  }

  cancel(worker: WorkerProcess, { id }: FromWorker & { readonly kind: 'cancel' }): void {
    this.#asked.get(worker)?.get(id)?.abort();
  }

  /** Nobody waits for what a worker has asked for that has ended. */
  forget(worker: WorkerProcess): void {
    for (const waiting of this.#asked.get(worker)?.values() ?? []) waiting.abort();
    this.#asked.delete(worker);
  }

  load(): void {
    this.#embedder.load();
  }

  async #vectors({ purpose, texts }: Embedding, signal: AbortSignal): Promise<Vectors> {
    const [text = ''] = texts;
    return purpose === 'query'
      ? [await this.#embedder.embed(text, signal)]
      : this.#embedder.embedBatch(texts);
  }
}
