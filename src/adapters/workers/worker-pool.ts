import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { CallOptions } from './channel.js';
import { KnownProjects } from './known-projects.js';
import { ProjectClaims } from './project-claims.js';
import { isRead, type ServiceCall, TICK_MS } from './protocol.js';
import { workerFor } from './routing.js';
import { mayRunAgain, REFUSALS, UnansweredError } from './unanswered.js';
import type { WorkerEnd, WorkerProcess } from './worker-process.js';
import { WorkerSet, type WorkerSetOptions } from './worker-set.js';

interface WorkerPoolOptions
  extends Pick<WorkerSetOptions, 'size' | 'maxBytes' | 'silence' | 'start' | 'logger'> {
  /** Called at each look at the workers. */
  readonly onTick: () => void;
  readonly clock: Clock;
}

/** A call that no worker has yet, or has any more. */
interface WaitingCall {
  readonly call: ServiceCall;
  readonly project: string;
  readonly options: CallOptions;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** How many workers ended with it. */
  readonly ends: number;
}

/**
 * Gives each call to one of the worker processes. What a worker did not answer, because it ended or is stuck, is given to
 * another if it only reads or was certainly not begun; otherwise it fails with `store_unavailable`.
 */
export class WorkerPool {
  readonly workers: WorkerSet;
  readonly claims: ProjectClaims;
  readonly projects: KnownProjects;
  readonly #options: WorkerPoolOptions;
  readonly #monitor: NodeJS.Timeout;
  /** In the order in which they came; a call for which there is a worker passes those for which there is none. */
  #waiting: readonly WaitingCall[] = [];
  #stopped: Promise<void> | undefined;

  /** @throws what keeps a process from being started */
  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.projects = new KnownProjects(options.clock);
    this.workers = new WorkerSet({
      ...options,
      isInUpkeep: (worker) => this.#isInUpkeep(worker),
      isAnyoneWaiting: () => this.#waiting.length > 0,
      onReady: (worker) => this.#ready(worker),
      onExit: (worker, end) => this.#exited(worker, end),
    });
    this.claims = new ProjectClaims({
      clock: options.clock,
      workers: () => this.workers.all,
      pathOf: (project) => this.projects.pathOf(project),
      onFree: () => this.#dispatch(),
    });
    // Messages that have arrived are read first.
    this.#monitor = setInterval(() => setImmediate(() => this.tick()), TICK_MS);
  }

  /** Number of calls that no worker has yet. */
  get waitingCalls(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves with the result of the call.
   * @throws KnowledgeError `store_unavailable`, and what the call itself throws
   */
  async run(call: ServiceCall, options: CallOptions = {}): Promise<unknown> {
    const project = String(call.args[0]);
    if (this.#stopped !== undefined) throw REFUSALS.stopping();
    if (this.projects.isBarred(project)) throw REFUSALS.barred();
    return new Promise((resolve, reject) => {
      const waiting = { call, project, options, resolve, reject, ends: 0 };
      this.#waiting = [...this.#waiting, waiting];
      this.#dispatch();
    });
  }

  /** Looks at the health of the workers, and takes back what a silent one has of other projects. */
  tick(): void {
    this.workers.tick();
    this.#options.onTick();
    const pathOf = (project: string) => this.projects.pathOf(project);
    for (const worker of this.workers.silent) worker.takeBackOthers(pathOf);
    this.#dispatch();
  }

  /** Ends all workers; what waits or is under way fails. Idempotent. */
  stop(): Promise<void> {
    clearInterval(this.#monitor);
    for (const { reject } of this.#waiting) reject(REFUSALS.stopping());
    this.#waiting = [];
    this.#stopped ??= this.workers.stop();
    return this.#stopped;
  }

  #dispatch(): void {
    if (this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter((waiting) => {
      const worker = this.#workerFor(waiting);
      if (worker !== undefined) void this.#give(waiting, worker);
      return worker === undefined;
    });
  }

  #workerFor({ call, project }: WaitingCall): WorkerProcess | undefined {
    const { projects, claims } = this;
    const path = projects.pathOf(project);
    return workerFor(
      { kind: call.kind, project },
      {
        workers: this.workers.all.filter((worker) => claims.admits(path, worker)),
        isKnownToOwner: (name) => projects.isOwned(name),
        isHarmless: (name) => projects.isHarmless(name),
      },
    );
  }

  async #give(waiting: WaitingCall, worker: WorkerProcess): Promise<void> {
    const { call, options, resolve, reject } = waiting;
    try {
      const value = await worker.run(call, options);
      this.#note(waiting, worker);
      resolve(value);
    } catch (error) {
      if (error instanceof UnansweredError) this.#unanswered(waiting, error);
      else reject(error);
      // A store that was set aside is refilled by the owner, which gets the next call.
      if (error instanceof KnowledgeError && error.code === 'store_unavailable')
        this.projects.disowned(waiting.project);
    }
    this.#dispatch();
  }

  #note({ call, project }: WaitingCall, { role }: WorkerProcess): void {
    this.projects.answered(project);
    if (role === 'owner') this.projects.owned(project);
    if (role === 'reader' && !isRead(call)) this.#wake(project);
  }

  #unanswered(waiting: WaitingCall, { why }: UnansweredError): void {
    const { call, project, ends, reject } = waiting;
    const isServed = this.#stopped === undefined && !this.projects.isBarred(project);
    if (isServed && mayRunAgain({ isRead: isRead(call), ends }, why))
      this.#waiting = [{ ...waiting, ends: ends + Number(why === 'died') }, ...this.#waiting];
    else reject(why === 'stuck' ? REFUSALS.stuck() : REFUSALS.died());
  }

  #isInUpkeep(worker: WorkerProcess): boolean {
    const path = worker.currentWork();
    return [...worker.calls].some(
      ({ kind, project }) => kind === 'upkeep' && this.projects.pathOf(project) === path,
    );
  }

  /** A new owner continues the background work of the projects in use, but not of one that ended a worker. */
  #ready(worker: WorkerProcess): void {
    if (worker.role === 'owner') {
      for (const project of this.projects.allOwned()) {
        this.projects.disowned(project);
        if (this.projects.isHarmless(project)) this.#wake(project);
      }
    }
    this.#dispatch();
  }

  #exited(worker: WorkerProcess, { isFault, project }: WorkerEnd): void {
    this.claims.endAllOf(worker);
    if (isFault && project !== undefined) this.projects.endedWorker(project);
    this.#dispatch();
  }

  #wake(projectPath: string): void {
    this.workers.owner?.channel.call('wake', [projectPath]).then(
      () => this.projects.owned(projectPath),
      (error: unknown) => {
        const reason = reasonOf(error);
        this.#options.logger.debug('Background work was not continued.', { reason });
      },
    );
  }
}
