import type { KnowledgeError } from '../../../domain/errors.js';
import type { Vector } from '../../../domain/ranking/vector.js';
import type { Clock } from '../../../ports/clock.js';
import type { ModelLoader } from '../download/model-loader.js';
import { embeddingError, isIdle, type Lane, modelFailure, newLane, type Task } from './lane.js';
import type { TextRole } from './model-settings.js';
import { createDeferred, type EmbedRequest, type ThreadPriority } from './model-thread.js';

interface EmbeddingThreadsOptions {
  /** Maximum number of threads for passages, at least 1. */
  readonly batchThreads: number;
  readonly batchPriority: ThreadPriority;
  readonly clock: Clock;
}

/**
 * Runs threads with one copy of the model each: one for queries, and some for passages, which also take queries while
 * the first is not loaded. A thread takes its next text when it is done with one. Threads are started when there are
 * texts for them. To free the memory of their models, those for passages end after a minute without work, and the one
 * for queries ends after five minutes without queries.
 */
export class EmbeddingThreads {
  readonly #loader: ModelLoader;
  readonly #clock: Clock;
  readonly #queryLane = newLane('normal');
  readonly #batchLanes: Lane[];
  /** Additional threads for passages at normal priority, while a caller waits. They are also in `#batchLanes`. */
  readonly #extraLanes: Lane[] = [];
  readonly #waiting: Readonly<Record<TextRole, Task[]>> = { query: [], passage: [] };
  readonly #resting: Record<TextRole, AbortController> = {
    query: new AbortController(),
    passage: new AbortController(),
  };

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

  /** Starts the thread for queries, unless a load has just failed. */
  load(): void {
    if (this.#loader.refusal === undefined) void this.#start(this.#queryLane);
  }

  /**
   * Embeds one text. Texts of one role are embedded in the order of the calls; an aborted call leaves the queue.
   * @throws KnowledgeError `model_unavailable`, also when aborted
   */
  async embed(request: EmbedRequest, signal?: AbortSignal): Promise<Vector> {
    if (signal?.aborted === true) throw modelFailure('the call was cancelled');
    const task: Task = { request, vector: createDeferred() };
    const cancel = (): void => this.#cancel(task);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#waiting[request.role].push(task);
    this.#dispatch();
    return task.vector.promise.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** Sets how many extra threads at normal priority embed passages. One that is no longer needed finishes its text. */
  setExtraThreads(count: number): void {
    while (this.#extraLanes.length < count) {
      const lane = newLane('normal');
      this.#extraLanes.push(lane);
      this.#batchLanes.push(lane);
    }
    for (const lane of this.#extraLanes.splice(count)) void this.#retire(lane);
    this.#dispatch();
  }

  async #retire(lane: Lane): Promise<void> {
    this.#batchLanes.splice(this.#batchLanes.indexOf(lane), 1);
    lane.isRetired = true;
    if (!lane.isBusy) await lane.thread?.close();
  }

  async close(): Promise<void> {
    for (const resting of Object.values(this.#resting)) resting.abort();
    await Promise.all(this.#lanesFor('query').map(({ thread }) => thread?.close()));
  }

  #lanesFor(role: TextRole): readonly Lane[] {
    return role === 'query' ? [this.#queryLane, ...this.#batchLanes] : this.#batchLanes;
  }

  /** Starts as many threads as there are texts for, and gives texts to loaded threads. */
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
      if (lane.isRetired) return void thread.close();
      lane.thread = thread;
      void thread.ended.then(() => {
        lane.thread = undefined;
        this.#dispatch();
      });
    } catch {
      // The loader then refuses further loads for a while, and `#dispatch` passes on its reason.
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
    if (lane !== this.#queryLane) this.#resting.passage.abort();
    lane.isBusy = true;
    try {
      task.vector.resolve(await thread.embed(task.request));
    } catch (error) {
      task.vector.reject(embeddingError(task, error));
    }
    lane.isBusy = false;
    if (lane.isRetired) return void thread.close();
    this.#dispatch();
    if (task.request.role === 'query') void this.#unloadUnused();
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
    task.vector.reject(modelFailure('the call was cancelled'));
  }

  /** Ends the thread for queries once there have been no queries for a while. */
  async #unloadUnused(): Promise<void> {
    const signal = this.#beginRest('query');
    await this.#clock.sleep(QUERY_IDLE_MS, signal);
    if (!signal.aborted && !this.#queryLane.isBusy) await this.#queryLane.thread?.close();
  }

  #beginRest(role: TextRole): AbortSignal {
    this.#resting[role].abort();
    this.#resting[role] = new AbortController();
    return this.#resting[role].signal;
  }

  /** Ends the threads for passages once they have had nothing to do for a while. */
  async #endUnused(): Promise<void> {
    const signal = this.#beginRest('passage');
    await this.#clock.sleep(IDLE_MS, signal);
    if (signal.aborted) return;
    await Promise.all(this.#batchLanes.map(({ thread }) => thread?.close()));
  }
}

const IDLE_MS = 60_000;
const QUERY_IDLE_MS = 5 * 60_000;
