import { KnowledgeError, reasonOf } from '../../../domain/errors.js';
import type { Vector } from '../../../domain/ranking/vector.js';
import type { ModelLoader } from '../download/model-loader.js';
import type { ModelThread, Texts, ThreadPriority } from './model-thread.js';

/** A queue of texts with its own thread, which is started by the first call, and again if it has ended. */
export class EmbeddingQueue {
  readonly #loader: ModelLoader;
  readonly #priority: ThreadPriority;
  #thread: Promise<ModelThread> | undefined;
  #state: 'idle' | 'loading' | 'ready' = 'idle';

  constructor(loader: ModelLoader, priority: ThreadPriority) {
    this.#loader = loader;
    this.#priority = priority;
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
   * @throws KnowledgeError `model_unavailable`, also when aborted
   */
  async embed(texts: Texts, signal?: AbortSignal): Promise<readonly Vector[]> {
    const thread = await this.#ready();
    try {
      return await thread.embed(texts, signal);
    } catch (cause) {
      const message = `The embedding model failed: ${reasonOf(cause)}; try again.`;
      throw new KnowledgeError('model_unavailable', message, { cause });
    }
  }

  async close(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.close();
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
      const thread = await this.#loader.startThread(this.#priority);
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
