import { isStoreLocked, reasonOf } from '../../domain/errors.js';
import {
  RETRIEVALS_COUNTED_WITHIN_MS,
  RETRIEVALS_WAITING_MAX,
  RETRY_COUNTING_MS,
  STOP_COUNTING_MS,
} from '../../domain/limits.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Project } from '../projects/project.js';

export interface RetrievalCounterOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Counts retrievals without delaying the searches that caused them. While another process holds the lock of
 * a store, its retrievals are kept in memory as one batch and tried again until they are written. After
 * any other failure, such as a full disk, they are dropped with a warning.
 */
export class RetrievalCounter {
  readonly #options: RetrievalCounterOptions;
  /** By project path. */
  readonly #queues = new Map<string, Queue>();
  readonly #stopping = new AbortController();
  #deadline = Number.POSITIVE_INFINITY;
  #waiting = 0;

  constructor(options: RetrievalCounterOptions) {
    this.#options = options;
  }

  /** Resolves when the retrievals are written, or after 50 ms. Never rejects. */
  async count(project: Project, chunkIds: readonly string[]): Promise<void> {
    if (chunkIds.length === 0) return;
    if (this.#waiting + chunkIds.length > RETRIEVALS_WAITING_MAX) {
      return this.#warn(new Error('Too many retrievals are waiting to be counted.'));
    }
    const written = this.#enqueue(project, chunkIds);
    const enough = new AbortController();
    const tooLong = this.#options.clock.sleep(RETRIEVALS_COUNTED_WITHIN_MS, enough.signal);
    await Promise.race([written, tooLong]);
    enough.abort();
  }

  /** Writes what is waiting. Resolves when that is done, or after 2 s; what is left then is dropped with a warning. */
  async stop(): Promise<void> {
    this.#deadline = this.#options.clock.monotonic() + STOP_COUNTING_MS;
    this.#stopping.abort();
    await Promise.all([...this.#queues.values()].map(({ emptied }) => emptied));
  }

  /** Resolves once the batch that takes these retrievals was tried. */
  #enqueue(project: Project, chunkIds: readonly string[]): Promise<void> {
    const { path } = project;
    const queue = this.#queues.get(path) ?? { project, next: undefined, emptied: undefined };
    const batch = queue.next ?? newBatch();
    batch.chunkIds.push(...chunkIds);
    batch.at = this.#options.clock.now();
    this.#waiting += chunkIds.length;
    queue.next = batch;
    queue.project = project; // The store may have been replaced since.
    this.#queues.set(path, queue);
    queue.emptied ??= this.#empty(queue);
    return batch.tried;
  }

  async #empty(queue: Queue): Promise<void> {
    for (let batch = queue.next; batch !== undefined; batch = queue.next) {
      queue.next = undefined;
      const failure = await this.#write(queue.project, batch);
      batch.settle();
      if (failure === undefined) this.#waiting -= batch.chunkIds.length;
      else await this.#afterFailure(queue, batch, failure);
    }
    this.#queues.delete(queue.project.path);
  }

  async #write({ store }: Project, { chunkIds, at }: Batch): Promise<unknown> {
    try {
      await store.retrievals.record(chunkIds, at);
      return undefined;
    } catch (error) {
      return error ?? new Error('unknown');
    }
  }

  async #afterFailure(queue: Queue, batch: Batch, failure: unknown): Promise<void> {
    const { clock } = this.#options;
    if (!isStoreLocked(failure) || clock.monotonic() >= this.#deadline) {
      this.#waiting -= batch.chunkIds.length;
      return this.#warn(failure);
    }
    const isStopping = this.#stopping.signal.aborted;
    await clock.sleep(RETRY_COUNTING_MS, isStopping ? undefined : this.#stopping.signal);
    queue.next = merged(batch, queue.next);
  }

  #warn(failure: unknown): void {
    this.#options.logger.warn('Retrievals could not be counted; the search was not affected.', {
      reason: reasonOf(failure),
    });
  }
}

interface Queue {
  project: Project;
  /** Taken by the next write. */
  next: Batch | undefined;
  emptied: Promise<void> | undefined;
}

interface Batch {
  /** With repetitions: each is counted. */
  readonly chunkIds: string[];
  /** Time of the last retrieval. */
  at: Date;
  readonly tried: Promise<void>;
  readonly settle: () => void;
}

function newBatch(): Batch {
  let settle = () => {};
  const tried = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { chunkIds: [], at: new Date(0), tried, settle };
}

function merged(earlier: Batch, later: Batch | undefined): Batch {
  if (later === undefined) return earlier;
  later.chunkIds.unshift(...earlier.chunkIds);
  return later;
}
