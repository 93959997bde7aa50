import { KnowledgeError } from '../../../domain/errors.js';
import { ConcurrencyLimit, overloaded } from '../../../shared/concurrency.js';
import type { ServerLimits } from './server-limits.js';

/** The caller of a task. */
interface Caller {
  /** The project of the task; absent if there is none, or if it is not known yet. */
  readonly project?: string | undefined;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

type Limits = Pick<ServerLimits, 'maxInFlight' | 'maxPerProject' | 'maxBegunPerProject'>;

interface ProjectTasks {
  begun: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits the number of concurrent tasks, in total and per project, so that a project with slow tasks leaves capacity
 * for the others. Beyond `maxBegunPerProject`, the tasks of a project wait for each other; a waiting task whose client
 * disconnects never starts. Refuses every task once it is closed.
 */
export class RequestLimit {
  readonly #limits: Limits;
  readonly #projects = new Map<string, ProjectTasks>();
  readonly #all: ConcurrencyLimit;
  #closed = false;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#all = new ConcurrencyLimit(limits.maxInFlight, REQUESTS);
  }

  /** Number of tasks that run or wait. */
  get inFlight(): number {
    return this.#all.running;
  }

  /**
   * @throws KnowledgeError `store_unavailable` when closed, `overloaded` when full or when the client has left; the
   *   task then does not start
   */
  async run<T>(task: () => Promise<T>, { project, signal }: Caller): Promise<T> {
    this.assertOpen();
    return this.#all.run(() =>
      project === undefined ? task() : this.#runFor(project, task, signal),
    );
  }

  /** @throws KnowledgeError `store_unavailable` when closed */
  assertOpen(): void {
    if (this.#closed) {
      throw new KnowledgeError('store_unavailable', 'The service is stopping; try again shortly.');
    }
  }

  /** Refuses further tasks. Those that already run or wait are not affected. */
  close(): void {
    this.#closed = true;
  }

  async #runFor<T>(project: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const tasks = this.#projects.get(project) ?? { begun: 0, waiting: [] };
    if (tasks.begun + tasks.waiting.length >= this.#limits.maxPerProject)
      throw overloaded(REQUESTS);
    this.#projects.set(project, tasks);
    if (tasks.begun < this.#limits.maxBegunPerProject) tasks.begun += 1;
    else await new Promise<void>((resolve) => tasks.waiting.push(resolve));
    try {
      if (signal.aborted) throw overloaded(REQUESTS);
      return await task();
    } finally {
      const next = tasks.waiting.shift();
      if (next !== undefined) next();
      else tasks.begun -= 1;
      if (tasks.begun === 0) this.#projects.delete(project);
    }
  }
}

const REQUESTS = 'requests are in progress';
