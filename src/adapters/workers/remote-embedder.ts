import { KnowledgeError } from '../../domain/errors.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { Embedder, EmbedderStatus } from '../../ports/driven/embedder.js';
import type { ModelState, Vectors, WorkerRequest } from './messages.js';

export interface RemoteEmbedderOptions {
  readonly model: ModelState;
  readonly ask: (request: WorkerRequest, signal?: AbortSignal) => Promise<unknown>;
  readonly load: () => void;
}

/** The embedder of the service's process, used from a worker. */
export class RemoteEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  readonly #options: RemoteEmbedderOptions;
  #model: ModelState;
  #isClosed = false;

  constructor(options: RemoteEmbedderOptions) {
    this.#options = options;
    this.model = options.model.name;
    this.dimensions = options.model.dimensions;
    this.#model = options.model;
  }

  isReady(): boolean {
    return this.#model.state === 'ready';
  }

  status(): EmbedderStatus {
    return this.#model;
  }

  /** Notes the state that the service has told. */
  note(model: ModelState): void {
    this.#model = model;
  }

  load(): void {
    this.#options.load();
  }

  async embed(text: string, signal?: AbortSignal): Promise<Vector> {
    const [vector] = await this.#ask({ name: 'embed', texts: [text], purpose: 'query' }, signal);
    return vector ?? new Float32Array(this.dimensions);
  }

  async embedBatch(texts: readonly string[]): Promise<Vectors> {
    if (texts.length === 0) return [];
    return this.#ask({ name: 'embed', texts, purpose: 'batch' });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  async #ask(request: WorkerRequest, signal?: AbortSignal): Promise<Vectors> {
    if (this.#isClosed) {
      throw new KnowledgeError('model_unavailable', 'The embedding model is no longer in use.');
    }
    return (await this.#options.ask(request, signal)) as Vectors;
  }
}
