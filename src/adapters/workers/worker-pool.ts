import { type KnowledgeError, reasonOf } from '../../domain/errors.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Logger } from '../../ports/driven/logger.js';
import { FairQueue } from './fair-queue.js';
import { MAX_WAITING, MAX_WAITING_OF_PROJECT, type SilenceLimits, TICK_MS } from './limits.js';
import type { FromWorker, ServiceCall } from './messages.js';
import { type RunOptions, type Unanswered, UnansweredError } from './open-calls.js';
import { OwnedProjects } from './owned-projects.js';
import { ProjectBlame } from './project-blame.js';
import { ProjectClaims } from './project-claims.js';
import { isRead, workerFor } from './routing.js';
import { takeBackOthers } from './take-back.js';
import {
  isAnsweredWhileIndexing,
  isUnavailable,
  isWithoutProject,
  lineOf,
  mayRunAgain,
  REFUSALS,
  type WaitingCall,
} from './waiting-call.js';
import type { WorkerEnd, WorkerProcess } from './worker-process.js';
import { type StartWorker, WorkerSet } from './worker-set.js';

export interface WorkerPoolOptions {
  /** Processes that run while all is well: one owner, the others readers. */
  readonly size: number;
  /** Memory of one process in bytes, beyond which it is replaced. */
  readonly maxBytes: number;
  /** Beyond these a worker is stuck. */
  readonly silence: SilenceLimits;
  readonly start: StartWorker;
  readonly onMessage: (worker: WorkerProcess, message: FromWorker) => void;
  /** Called at each look at the workers. */
  readonly onTick: (workers: readonly WorkerProcess[]) => void;
  readonly onExit: (worker: WorkerProcess) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Gives each call to one of the worker processes. What a worker did not answer, because it ended or is stuck, is given to
 * another if it only reads or was certainly not begun; otherwise it fails with `store_unavailable`.
 */
export class WorkerPool {
  readonly workers: WorkerSet;
  readonly claims: ProjectClaims;
  readonly blame: ProjectBlame;
  readonly #options: WorkerPoolOptions;
  readonly #waiting = new FairQueue<WaitingCall>(lineOf);
  readonly #owned: OwnedProjects;
  readonly #monitor: NodeJS.Timeout;
  #isStopping = false;
  #stopped: Promise<void> | undefined;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.blame = new ProjectBlame(options.clock);
    this.#owned = new OwnedProjects(options.clock);
    this.workers = new WorkerSet({
      ...options,
      isAnyoneWaiting: () => this.#waiting.size > 0,
      onReady: (worker) => this.#ready(worker),
      onExit: (worker, end) => this.#exited(worker, end),
    });
    this.claims = new ProjectClaims({
      clock: options.clock,
      workers: () => this.workers.all,
      pathOf: (project) => this.blame.pathOf(project),
      onFree: () => this.#dispatch(),
    });
    // Messages that have arrived are read first.
    this.#monitor = setInterval(() => setImmediate(() => this.tick()), TICK_MS);
  }

  /** Number of calls that no worker has yet. */
  get waitingCalls(): number {
    return this.#waiting.size;
  }

  /** Number of projects that were used within the last minute. */
  get activeProjects(): number {
    return this.#owned.recent().length;
  }

  /**
   * Resolves with the result of the call.
   * @throws KnowledgeError `overloaded`, `store_unavailable`, and what the call itself throws
   */
  run(call: ServiceCall, options: RunOptions = {}): Promise<unknown> {
    const waiting = { call, project: String(call.args[0]), options, tries: 0 };
    const problem = this.#problemOf(waiting);
    if (problem !== undefined) return Promise.reject(problem);
    return new Promise((resolve, reject) => {
      this.#waiting.add({ ...waiting, resolve, reject }, 'last');
      this.#dispatch();
    });
  }

  /** Looks at the health of the workers, and takes back what a silent one has of other projects. */
  tick(): void {
    this.workers.tick();
    this.#options.onTick(this.workers.all);
    const now = this.#options.clock.monotonic();
    for (const worker of this.workers.silent()) takeBackOthers(worker, this.blame, now);
    this.#dispatch();
  }

  /** Ends all workers; what waits or is under way fails. Idempotent. */
  stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#monitor);
    for (const { reject } of this.#waiting.drain()) reject(REFUSALS.stopping());
    this.#stopped ??= this.workers.stop();
    return this.#stopped;
  }

  #problemOf(waiting: Pick<WaitingCall, 'call' | 'project'>): KnowledgeError | undefined {
    if (this.#isStopping) return REFUSALS.stopping();
    if (this.blame.isBarred(waiting.project)) return REFUSALS.barred();
    const isFull =
      this.#waiting.size >= MAX_WAITING ||
      this.#waiting.lengthOf(lineOf(waiting)) >= MAX_WAITING_OF_PROJECT;
    return isFull ? REFUSALS.full() : undefined;
  }

  #dispatch(): void {
    const silent = this.workers.silent();
    for (;;) {
      const taken = this.#waiting.take((waiting) => this.#workerFor(waiting, silent));
      if (taken === undefined) return;
      this.#give(taken.item, taken.place);
    }
  }

  #workerFor(
    { call, project }: WaitingCall,
    silent: readonly WorkerProcess[],
  ): WorkerProcess | undefined {
    const claimant = this.claims.claimantOf(this.blame.pathOf(project));
    const workers = claimant === undefined ? this.workers.all : [claimant];
    const isKnownToOwner = (name: string) => this.#owned.isRecent(name);
    const isHarmless = (name: string) => this.blame.isHarmless(name);
    return workerFor({ kind: call.kind, project }, { workers, silent, isKnownToOwner, isHarmless });
  }

  #give(waiting: WaitingCall, worker: WorkerProcess): void {
    const { call, project, options, resolve, reject } = waiting;
    if (worker.role === 'owner') this.#owned.note(project);
    const settled = worker.run(call, options).then(
      (value) => {
        resolve(value);
        this.blame.answered(project);
        if (isAnsweredWhileIndexing(value)) this.#owned.forget(project);
        if (worker.role === 'reader' && !isRead(call)) this.#wake(project);
      },
      (error: unknown) => {
        if (error instanceof UnansweredError) return this.#unanswered(waiting, error.why);
        if (isWithoutProject(error)) this.#owned.forget(project);
        if (worker.role === 'reader' && isUnavailable(error)) this.#wake(project);
        reject(error);
      },
    );
    void settled.then(() => this.#dispatch());
  }

  #unanswered(waiting: WaitingCall, why: Unanswered): void {
    if (mayRunAgain(waiting, why) && !this.#isStopping)
      this.#waiting.add({ ...waiting, tries: waiting.tries + 1 }, 'first');
    else waiting.reject(why === 'stuck' ? REFUSALS.stuck() : REFUSALS.died());
  }

  /** A new owner continues the background work of the projects in use, but not of one that ended a worker. */
  #ready(worker: WorkerProcess): void {
    const taken = worker.role === 'owner' ? this.#owned.takeAll() : [];
    for (const project of taken) if (!this.blame.isSuspect(project)) this.#wake(project);
    this.#dispatch();
  }

  #exited(worker: WorkerProcess, end: WorkerEnd): void {
    this.claims.endAllOf(worker);
    this.#options.onExit(worker);
    const project = worker.currentWork()?.path;
    if (end === 'failed' && project !== undefined) this.blame.ended(project);
    if (!this.#isStopping) this.#dispatch();
  }

  #wake(projectPath: string): void {
    this.workers.owner?.request({ name: 'wake', projectPath }).then(
      () => this.#owned.note(projectPath),
      (error: unknown) => {
        const reason = reasonOf(error);
        this.#options.logger.debug('Background work was not continued.', { reason });
      },
    );
  }
}
