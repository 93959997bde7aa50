import { KnowledgeError, reasonOf } from '../../../domain/errors.js';
import type { Vector } from '../../../domain/ranking/vector.js';
import type { Clock } from '../../../ports/clock.js';
import type { ModelLoader } from '../download/model-loader.js';
import type { TextRole } from './model-settings.js';
import {
  type Deferred,
  deferred,
  type EmbedRequest,
  ModelRunError,
  type ModelThread,
  type ThreadPriority,
} from './model-thread.js';

interface EmbeddingThreadsOptions {
  /** Most threads for passages, at least 1. */
  readonly batchThreads: number;
  readonly batchPriority: ThreadPriority;
  readonly clock: Clock;
}

/**
 * Threads with one copy of the model each: one for queries, and some for passages, which also take
 * queries while the first is not loaded. Each takes the next text when it is done with one. A thread is started when
 * there is a text for it; those for passages end after a minute without work, which frees the memory of their models.
 */
export class EmbeddingThreads {
  readonly #loader: ModelLoader;
  readonly #clock: Clock;
  readonly #queryLane = newLane('normal');
  readonly #batchLanes: readonly Lane[];
  readonly #waiting: Readonly<Record<TextRole, Task[]>> = { query: [], passage: [] };
  #resting = new AbortController();

  constructor(loader: ModelLoader, options: EmbeddingThreadsOptions) {
    const { batchThreads, batchPriority, clock } = options;
    this.#loader = loader;
    this.#clock = clock;
    this.#batchLanes = Array.from({ length: batchThreads }, () => newLane(batchPriority));
  }

  /** Whether a query would be embedded without loading first. */
  get isReady(): boolean {
    return this.#lanesFor('query').some(({ thread }) => thread !== undefined);
  }

  /** Whether the thread for queries is being loaded. */
  get isLoading(): boolean {
    return this.#queryLane.isLoading;
  }

  /** Starts the thread for queries, unless a load has failed just now. */
  load(): void {
    if (this.#loader.refusal === undefined) void this.#start(this.#queryLane);
  }

  /**
   * The vector of one text. Texts of one role are embedded in the order of the calls; an aborted call leaves the queue.
   * @throws KnowledgeError `model_unavailable`, also when aborted
   */
  async embed(request: EmbedRequest, signal?: AbortSignal): Promise<Vector> {
    if (signal?.aborted === true) throw failed('the call was cancelled');
    const task: Task = { request, vector: deferred() };
    const cancel = (): void => this.#cancel(task);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#waiting[request.role].push(task);
    this.#dispatch();
    return task.vector.promise.finally(() => signal?.removeEventListener('abort', cancel));
  }

  async close(): Promise<void> {
    this.#resting.abort();
    await Promise.all(this.#lanesFor('query').map(({ thread }) => thread?.close()));
  }

  #lanesFor(role: TextRole): readonly Lane[] {
    return role === 'query' ? [this.#queryLane, ...this.#batchLanes] : this.#batchLanes;
  }

  /** Starts as many threads as there are texts for, and gives texts to those that are loaded. */
  #dispatch(): void {
    const { refusal } = this.#loader;
    if (refusal === undefined) this.#startNeeded();
    else this.#rejectUnservable(refusal);
    for (const lane of this.#lanesFor('query')) void this.#work(lane);
  }

  #startNeeded(): void {
    const { query, passage } = this.#waiting;
    if (query.length > 0) void this.#start(this.#queryLane);
    const idle = this.#batchLanes.filter(isIdle);
    const free = this.#batchLanes.filter((lane) => !isIdle(lane) && !lane.isBusy).length;
    for (const lane of idle.slice(0, Math.max(0, passage.length - free))) void this.#start(lane);
  }

  async #start(lane: Lane): Promise<void> {
    if (!isIdle(lane)) return;
    lane.isLoading = true;
    try {
      const thread = await this.#loader.startThread(lane.priority);
      lane.thread = thread;
      void thread.ended.then(() => {
        lane.thread = undefined;
        this.#dispatch();
      });
    } catch {
      // The loader refuses further loads for a while and says why.
    }
    lane.isLoading = false;
    this.#dispatch();
  }

  /** Rejects the texts that no thread can take. */
  #rejectUnservable(reason: KnowledgeError): void {
    for (const role of ['query', 'passage'] as const) {
      if (!this.#lanesFor(role).every(isIdle)) continue;
      for (const { vector } of this.#waiting[role].splice(0)) vector.reject(reason);
    }
  }

  async #work(lane: Lane): Promise<void> {
    const { thread, isBusy } = lane;
    const task = thread === undefined || isBusy ? undefined : this.#nextFor(lane);
    if (thread === undefined || task === undefined) return;
    this.#resting.abort();
    lane.isBusy = true;
    try {
      task.vector.resolve(await thread.embed(task.request));
    } catch (error) {
      task.vector.reject(embeddingError(task, error));
    }
    lane.isBusy = false;
    this.#dispatch();
    if (!this.#batchLanes.some((other) => other.isBusy)) void this.#endUnused();
  }

  #nextFor(lane: Lane): Task | undefined {
    const isForQueries = lane === this.#queryLane;
    const takesQueries = isForQueries || this.#queryLane.thread === undefined;
    const query = takesQueries ? this.#waiting.query.shift() : undefined;
    return query ?? (isForQueries ? undefined : this.#waiting.passage.shift());
  }

  #cancel(task: Task): void {
    const waiting = this.#waiting[task.request.role];
    if (waiting.includes(task)) waiting.splice(waiting.indexOf(task), 1);
    task.vector.reject(failed('the call was cancelled'));
  }

  /** Ends the threads for passages once they have had nothing to do for a while. */
  async #endUnused(): Promise<void> {
    this.#resting.abort();
    this.#resting = new AbortController();
    const { signal } = this.#resting;
    await this.#clock.sleep(IDLE_MS, signal);
    if (signal.aborted) return;
    await Promise.all(this.#batchLanes.map(({ thread }) => thread?.close()));
  }
}

interface Lane {
  readonly priority: ThreadPriority;
  thread: ModelThread | undefined;
  isLoading: boolean;
  isBusy: boolean;
}

interface Task {
  readonly request: EmbedRequest;
  readonly vector: Deferred<Vector>;
}

function newLane(priority: ThreadPriority): Lane {
  return { priority, thread: undefined, isLoading: false, isBusy: false };
}

/** Neither loaded nor being loaded. */
function isIdle({ thread, isLoading }: Lane): boolean {
  return thread === undefined && !isLoading;
}

/** A passage on which a loaded model fails may be the reason; the error is passed on and is no `model_unavailable`. */
function embeddingError({ request }: Task, error: unknown): Error {
  if (request.role === 'passage' && error instanceof ModelRunError) return error;
  return failed(`${reasonOf(error)}; try again`, error);
}

function failed(reason: string, cause?: unknown): KnowledgeError {
  const message = `The embedding model failed: ${reason}.`;
  return new KnowledgeError('model_unavailable', message, { cause });
}

const IDLE_MS = 60_000;
