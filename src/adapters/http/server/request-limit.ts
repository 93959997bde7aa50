import { ConcurrencyLimit, overloaded } from '../../../domain/concurrency-limit.js';
import { KnowledgeError } from '../../../domain/errors.js';
import type { ServerLimits } from './server-limits.js';

/** Who asked for a task. */
interface Caller {
  /** The project that the task is for; absent if it is for none, or if that is not known yet. */
  readonly project?: string | undefined;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

type Limits = Pick<ServerLimits, 'maxInFlight' | 'maxPerProject' | 'maxBegunPerProject'>;

interface ProjectTasks {
  begun: number;
  readonly waiting: Set<() => void>;
}

/**
 * Limits the number of tasks at the same time, in all and for each project, so that one project whose tasks
 * take long leaves room for the others. Beyond `maxBegunPerProject` the tasks of a project wait for each other;
 * those whose client leaves meanwhile are never begun. Refuses every task once it is closed.
 *
 * Only a few failures are passed on in each turn of the event loop. Hundreds of clients that try again as soon as they
 * are refused would otherwise take it whole, and the probes and the results of other tasks would wait for them.
 */
export class RequestLimit {
  readonly #limits: Limits;
  readonly #projects = new Map<string, ProjectTasks>();
  readonly #all: ConcurrencyLimit;
  readonly #failed: (() => void)[] = [];
  #closed = false;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#all = new ConcurrencyLimit(limits.maxInFlight, REQUESTS);
  }

  /** Tasks that run or wait. */
  get inFlight(): number {
    return this.#all.running;
  }

  /**
   * @throws KnowledgeError `store_unavailable` when closed, `overloaded` when full or when the client has left; the task
   *   is not begun then
   */
  async run<T>(task: () => Promise<T>, { project, signal }: Caller): Promise<T> {
    try {
      this.assertOpen();
      return await this.#all.run(() =>
        project === undefined ? task() : this.#runFor(project, task, signal),
      );
    } catch (error) {
      await this.#turnToFail();
      throw error;
    }
  }

  /** @throws KnowledgeError `store_unavailable` when closed */
  assertOpen(): void {
    if (this.#closed) {
      throw new KnowledgeError('store_unavailable', 'The service is stopping; try again shortly.');
    }
  }

  /** Does not affect tasks that run or wait already. */
  close(): void {
    this.#closed = true;
  }

  #turnToFail(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#failed.push(resolve) === 1) setImmediate(this.#passOnFailures);
    });
  }

  readonly #passOnFailures = () => {
    for (const fail of this.#failed.splice(0, FAILURES_PER_TURN)) fail();
    if (this.#failed.length > 0) setImmediate(this.#passOnFailures);
  };

  async #runFor<T>(project: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const tasks = this.#projects.get(project) ?? { begun: 0, waiting: new Set() };
    if (tasks.begun + tasks.waiting.size >= this.#limits.maxPerProject) throw overloaded(REQUESTS);
    this.#projects.set(project, tasks);
    if (tasks.begun < this.#limits.maxBegunPerProject) tasks.begun += 1;
    else await turnOf(tasks.waiting, signal);
    try {
      return await task();
    } finally {
      const [next] = tasks.waiting;
      if (next !== undefined) next();
      else tasks.begun -= 1;
      if (tasks.begun === 0) this.#projects.delete(project);
    }
  }
}

/** Resolves when the place of a task that has ended is passed on. @throws KnowledgeError if the client leaves before */
function turnOf(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(begin);
      reject(overloaded(REQUESTS));
    };
    const begin = () => {
      waiting.delete(begin);
      signal.removeEventListener('abort', leave);
      resolve();
    };
    waiting.add(begin);
    signal.addEventListener('abort', leave, { once: true });
  });
}

/** The response to each takes some 0.1 ms. */
const FAILURES_PER_TURN = 16;
const REQUESTS = 'requests are in progress';
