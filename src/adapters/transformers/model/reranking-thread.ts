import { Worker } from 'node:worker_threads';
import type { RerankQuery } from '../../../ports/reranker.js';
import type { NetworkPlace } from './loaded-network.js';
import { createDeferred, type Deferred } from './model-thread.js';
import type { CancelRequest, RerankReply, RerankRequest } from './reranking-worker.js';

interface ThreadStart {
  readonly workerFile: URL;
  /** Ends the thread when aborted. */
  readonly signal: AbortSignal;
}

/** A worker thread with a cross-encoder. Keeps the process alive while it loads or scores. */
export class RerankingThread {
  readonly #worker: Worker;
  readonly #loaded = createDeferred<void>();
  readonly #ended = createDeferred<void>();
  readonly #waiting = new Map<number, Deferred<readonly number[]>>();
  #lastNumber = 0;

  /**
   * Starts a thread and waits until its model is loaded. @throws Error with the reason if that fails; the thread has
   * then ended
   */
  static async start(place: NetworkPlace, { workerFile, signal }: ThreadStart) {
    signal.throwIfAborted();
    const thread = new RerankingThread(place, workerFile);
    const close = (): void => void thread.close();
    signal.addEventListener('abort', close, { once: true });
    void thread.ended.then(() => signal.removeEventListener('abort', close));
    await thread.#loaded.promise;
    return thread;
  }

  private constructor(place: NetworkPlace, workerFile: URL) {
    // These streams are never read: nothing printed there may reach the standard output of the service.
    this.#worker = new Worker(workerFile, { workerData: place, stdout: true, stderr: true });
    this.#worker.on('message', (reply: RerankReply) => this.#receive(reply));
    this.#worker.on('error', (error) => this.#finish(error));
    this.#worker.on('exit', () => this.#finish(new Error('its thread ended')));
  }

  /** Resolves once the thread has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /**
   * Returns a score for each document, in their order. Queries are handled one after the other; an aborted one is
   * abandoned before its next piece.
   * @throws Error with the reason
   */
  async score(query: RerankQuery, signal?: AbortSignal): Promise<readonly number[]> {
    if (signal?.aborted === true) throw new Error('the call was cancelled');
    const number = ++this.#lastNumber;
    const scores = createDeferred<readonly number[]>();
    this.#waiting.set(number, scores);
    this.#worker.ref();
    this.#worker.postMessage({ ...query, number } satisfies RerankRequest);
    const cancel = (): void => {
      this.#worker.postMessage({ cancel: number } satisfies CancelRequest);
      this.#settle(number)?.reject(new Error('the call was cancelled'));
    };
    signal?.addEventListener('abort', cancel, { once: true });
    return scores.promise.finally(() => signal?.removeEventListener('abort', cancel));
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #receive(reply: RerankReply): void {
    if (reply.kind === 'failed') this.#finish(new Error(reply.reason));
    else if (reply.kind === 'loaded') this.#loaded.resolve();
    else this.#settle(reply.number)?.resolve(reply.scores);
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #settle(number: number): Deferred<readonly number[]> | undefined {
    const scores = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) this.#worker.unref();
    return scores;
  }

  #finish(reason: Error): void {
    this.#loaded.reject(reason);
    for (const scores of this.#waiting.values()) scores.reject(reason);
    this.#waiting.clear();
    this.#ended.resolve();
  }
}
