import { KnowledgeError, reasonOf } from '../../../domain/errors.js';
import type { Vector } from '../../../domain/ranking/vector.js';
import type { ModelLoader } from '../download/model-loader.js';
import type { ModelThread } from './model-thread.js';
import type { ThreadPriority } from './thread-messages.js';

export interface EmbeddingQueueOptions {
  readonly priority: ThreadPriority;
  /** Maximum number of waiting calls; further ones are refused. */
  readonly maxCalls: number;
}

/** A queue of texts with its own thread, which is started by the first call, and again if it has ended. */
export class EmbeddingQueue {
  readonly #loader: ModelLoader;
  readonly #options: EmbeddingQueueOptions;
  #thread: Promise<ModelThread> | undefined;
  #state: 'idle' | 'loading' | 'ready' = 'idle';
  #calls = 0;

  constructor(loader: ModelLoader, options: EmbeddingQueueOptions) {
    this.#loader = loader;
    this.#options = options;
  }

  get state(): 'idle' | 'loading' | 'ready' {
    return this.#state;
  }

  /**
   * Loads the model unless it is loaded or loading.
   * @throws KnowledgeError `model_unavailable`
   */
  async load(): Promise<void> {
    await this.#ready();
  }

  /**
   * The vectors of texts. Calls are served in the order in which they were made; an aborted call leaves
   * the queue immediately.
   * @throws KnowledgeError `model_unavailable`, also when aborted; `overloaded` when the queue is full
   */
  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]> {
    if (this.#calls >= this.#options.maxCalls) {
      throw new KnowledgeError(
        'overloaded',
        'Too many texts are waiting for the embedding model; try again shortly.',
      );
    }
    this.#calls += 1;
    try {
      return await this.#embed(texts, signal);
    } finally {
      this.#calls -= 1;
    }
  }

  async close(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.close();
  }

  async #embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]> {
    const thread = await this.#ready();
    try {
      return await thread.embed(texts, signal);
    } catch (cause) {
      const message = `The embedding model failed: ${reasonOf(cause)}; try again.`;
      throw new KnowledgeError('model_unavailable', message, { cause });
    }
  }

  async #ready(): Promise<ModelThread> {
    if (this.#thread === undefined) {
      this.#loader.refuseDuringPause();
      this.#thread = this.#start();
    }
    return this.#thread;
  }

  async #start(): Promise<ModelThread> {
    this.#state = 'loading';
    try {
      const thread = await this.#loader.startThread(this.#options.priority);
      void thread.ended.then(() => this.#forget());
      this.#state = 'ready';
      return thread;
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  #forget(): void {
    this.#thread = undefined;
    this.#state = 'idle';
  }
}
