import { Worker } from 'node:worker_threads';
import { EMBEDDING_DIMENSIONS } from '../../../domain/limits.js';
import { isStorable, type Vector } from '../../../domain/ranking/vector.js';
import type { TextRole } from './model-settings.js';
import type { ModelPlace } from './sentence-model.js';

/** `background` runs at the lowest priority, on systems that support thread priorities. */
export type ThreadPriority = 'normal' | 'background';

/** The start parameters of a thread. */
export interface ThreadTask extends ModelPlace {
  readonly priority: ThreadPriority;
}

export interface EmbedRequest {
  readonly role: TextRole;
  readonly text: string;
}

/** Asks a thread to end as soon as its model is not running. */
export const CLOSE = 'close';

/** Messages from a thread: the vector of a trial text, then one reply per request. A failure ends the thread. */
export type ThreadReply =
  | { readonly kind: 'vector'; readonly vector: Vector }
  | { readonly kind: 'failed'; readonly reason: string };

export interface ThreadStart extends ThreadTask {
  readonly workerFile: URL;
  /** Ends the thread when aborted, even while it is loading. */
  readonly signal: AbortSignal;
}

/** The model failed on a text: its run or its thread failed, or the vector was invalid. */
export class ModelRunError extends Error {}

/** A worker thread with its own copy of the model. Keeps the process alive while it loads or embeds. */
export class ModelThread {
  readonly #worker: Worker;
  readonly #ended = createDeferred<Error>();
  readonly #exited = createDeferred<void>();
  readonly #isNative: boolean;
  #reply = createDeferred<Vector>();
  #end: Error | undefined;

  /**
   * Starts a thread. Resolves once the model is loaded and has returned a valid vector for a trial text.
   * @throws Error with the reason if that fails; the thread has then ended
   */
  static async start(start: ThreadStart): Promise<ModelThread> {
    start.signal.throwIfAborted();
    const thread = new ModelThread(start);
    const close = (): void => void thread.close();
    start.signal.addEventListener('abort', close, { once: true });
    void thread.ended.then(() => start.signal.removeEventListener('abort', close));
    try {
      await thread.#reply.promise;
      return thread;
    } catch (error) {
      await thread.close();
      throw error;
    }
  }

  private constructor({ workerFile, signal: _, ...workerData }: ThreadStart) {
    this.#isNative = workerData.nativeRuntime !== undefined;
    // These streams are never read: nothing printed there may reach the standard output of the service.
    this.#worker = new Worker(workerFile, {
      workerData,
      stdout: true,
      stderr: true,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.on('message', (reply: ThreadReply) => this.#receive(reply));
    this.#worker.on('error', ({ message }) => this.#finish(new ModelRunError(message)));
    this.#worker.on('exit', () => {
      this.#finish(new ModelRunError('the model thread ended unexpectedly'));
      this.#exited.resolve();
    });
  }

  /** Resolves with the reason once the thread has ended; never rejects. */
  get ended(): Promise<Error> {
    return this.#ended.promise;
  }

  /**
   * Embeds one text. Must not be called again before it has settled.
   * @throws Error with the reason if the model fails or returns an invalid vector, or the thread ends
   */
  embed(request: EmbedRequest): Promise<Vector> {
    this.#reply = createDeferred();
    if (this.#end !== undefined) this.#reply.reject(this.#end);
    this.#worker.ref();
    this.#worker.postMessage(request);
    return this.#reply.promise;
  }

  /** Ends the thread: immediately, even during work, but on the native runtime only after the running window. */
  async close(): Promise<void> {
    this.#finish(new Error('the embedder was closed'));
    if (this.#isNative) await this.#leave();
    else await this.#worker.terminate();
  }

  /**
   * Asks the thread to end, and terminates it only after a time limit: terminating a thread in which the native runtime
   * is working ends the whole process.
   */
  async #leave(): Promise<void> {
    this.#worker.ref();
    this.#worker.postMessage(CLOSE);
    const timer = setTimeout(() => void this.#worker.terminate(), LEAVE_TIMEOUT_MS);
    await this.#exited.promise;
    clearTimeout(timer);
  }

  #receive(reply: ThreadReply): void {
    if (reply.kind === 'failed') {
      // A failed run may have corrupted the WebAssembly memory.
      this.#finish(new ModelRunError(reply.reason));
      void this.#worker.terminate();
    } else if (isStorable(reply.vector, EMBEDDING_DIMENSIONS)) this.#reply.resolve(reply.vector);
    else this.#reply.reject(new ModelRunError(describeInvalid(reply.vector)));
    // The process may end while the thread is idle, but not while something waits for the thread to end.
    if (this.#end === undefined) this.#worker.unref();
  }

  #finish(reason: Error): void {
    this.#end ??= reason;
    // Resolved before the reply is rejected, so that a caller that sees the failure does not send another text.
    this.#ended.resolve(reason);
    this.#reply.reject(reason);
  }
}

/** Longer than loading the model, which takes one to three seconds and during which the thread reads no messages. */
const LEAVE_TIMEOUT_MS = 5000;
/** Memory for short-lived objects, in MB. V8's default is up to 48. */
const YOUNG_MB = 12;

function describeInvalid(vector: Vector): string {
  return vector.length === EMBEDDING_DIMENSIONS
    ? 'the model returns vectors that are zero or not finite'
    : `the model returns vectors of ${vector.length} values instead of ${EMBEDDING_DIMENSIONS}`;
}

export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: Error): void;
}

/** `Promise.withResolvers`, which Node 20 lacks. An unhandled rejection is ignored. */
export function createDeferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
