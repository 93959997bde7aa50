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

/** Texts of one role, which are embedded in the order in which they arrive. */
export interface Texts {
  readonly role: TextRole;
  readonly texts: readonly string[];
}

export interface EmbedRequest extends Texts {
  readonly kind: 'embed';
  readonly id: number;
}

export type ThreadRequest =
  | EmbedRequest
  /** The vectors of this call are no longer needed: it is dropped, or stops before its next window. */
  | { readonly kind: 'cancel'; readonly id: number };

/** Messages of a thread. After `unloadable` and after `failed` it ends. */
export type ThreadMessage =
  /** The model is loaded; `trial` is the vector of a short text. */
  | { readonly kind: 'ready'; readonly trial: Vector }
  | { readonly kind: 'unloadable'; readonly reason: string }
  | { readonly kind: 'vectors'; readonly id: number; readonly vectors: readonly Vector[] }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string };

export interface ThreadStart extends ThreadTask {
  readonly workerFile: URL;
  /** Aborting it ends the thread, even while it is loading. */
  readonly signal: AbortSignal;
}

/** A worker thread with its own copy of the model; keeps the process alive while it loads or has open calls. */
export class ModelThread {
  readonly #worker: Worker;
  readonly #calls = new Map<number, Deferred<readonly Vector[]>>();
  readonly #loaded = deferred<void>();
  readonly #ended = deferred<Error>();
  #lastId = 0;
  #end: Error | undefined;

  /**
   * Resolves once the model is loaded and has returned a valid vector for a trial text.
   * @throws Error with the reason if that fails; the thread has then ended
   */
  static async start(start: ThreadStart): Promise<ModelThread> {
    start.signal.throwIfAborted();
    const thread = new ModelThread(start);
    const close = (): void => void thread.close();
    start.signal.addEventListener('abort', close, { once: true });
    void thread.ended.then(() => start.signal.removeEventListener('abort', close));
    try {
      await thread.#loaded.promise;
    } catch (error) {
      await thread.close();
      throw error;
    }
    return thread;
  }

  private constructor({ workerFile, signal: _, ...workerData }: ThreadStart) {
    // These streams are never read: nothing that is printed may reach the standard output of the service.
    this.#worker = new Worker(workerFile, {
      workerData,
      stdout: true,
      stderr: true,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.on('message', (message: ThreadMessage) => this.#receive(message));
    this.#worker.on('error', (error) => this.#finish(error));
    this.#worker.on('exit', () =>
      this.#finish(new Error('the thread of the model ended unexpectedly')),
    );
  }

  /** Resolves with the reason once the thread has ended; never rejects. */
  get ended(): Promise<Error> {
    return this.#ended.promise;
  }

  /**
   * The vectors of texts; calls are served in the order in which they were made.
   * @throws Error with the reason if the model fails or returns an invalid vector, the thread ends, or
   * the call is aborted
   */
  async embed(texts: Texts, signal?: AbortSignal): Promise<readonly Vector[]> {
    if (this.#end !== undefined) throw this.#end;
    if (signal?.aborted === true) throw cancelled();
    this.#lastId += 1;
    const id = this.#lastId;
    const call = deferred<readonly Vector[]>();
    const cancel = (): void => this.#cancel(id);
    this.#calls.set(id, call);
    this.#send({ kind: 'embed', id, ...texts });
    this.#worker.ref();
    signal?.addEventListener('abort', cancel, { once: true });
    return call.promise.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** Ends the thread immediately, even during work; open calls are rejected. */
  async close(): Promise<void> {
    this.#finish(new Error('the embedder was closed'));
    await this.#worker.terminate();
  }

  #send(request: ThreadRequest): void {
    this.#worker.postMessage(request);
  }

  #cancel(id: number): void {
    this.#calls.get(id)?.reject(cancelled());
    this.#calls.delete(id);
    this.#send({ kind: 'cancel', id });
    this.#rest();
  }

  #receive(message: ThreadMessage): void {
    if (message.kind === 'vectors') this.#answer(message.id, message.vectors);
    else if (message.kind === 'ready') this.#checkTrial(message.trial);
    else if (message.kind === 'unloadable') this.#finish(new Error(message.reason));
    // A failed run may have corrupted the WebAssembly memory.
    else this.#endWith(new Error(message.reason));
    this.#rest();
  }

  /** Lets the process end while nothing is asked of the thread, but not before the end of a thread that is waited for. */
  #rest(): void {
    if (this.#calls.size === 0 && this.#end === undefined) this.#worker.unref();
  }

  #checkTrial(trial: Vector): void {
    if (isStorable(trial, EMBEDDING_DIMENSIONS)) this.#loaded.resolve();
    else this.#loaded.reject(new Error(describeInvalid(trial)));
  }

  #answer(id: number, vectors: readonly Vector[]): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    const invalid = vectors.find((vector) => !isStorable(vector, EMBEDDING_DIMENSIONS));
    if (invalid === undefined) call?.resolve(vectors);
    else call?.reject(new Error(describeInvalid(invalid)));
  }

  #endWith(reason: Error): void {
    this.#finish(reason);
    void this.#worker.terminate();
  }

  #finish(reason: Error): void {
    this.#end ??= reason;
    this.#loaded.reject(reason);
    for (const call of this.#calls.values()) call.reject(reason);
    this.#calls.clear();
    this.#ended.resolve(reason);
  }
}

/** For short-lived objects; left alone, V8 takes up to 48 MB. */
const YOUNG_MB = 12;

function cancelled(): Error {
  return new Error('the call was cancelled');
}

function describeInvalid(vector: Vector): string {
  return vector.length === EMBEDDING_DIMENSIONS
    ? 'the model returns vectors that are zero or not finite'
    : `the model returns vectors of ${vector.length} values instead of ${EMBEDDING_DIMENSIONS}`;
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: Error): void;
}

/** `Promise.withResolvers`, which Node 20 lacks. An unhandled rejection is ignored. */
function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
