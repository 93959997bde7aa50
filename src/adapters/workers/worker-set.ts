import { reasonOf } from '../../domain/errors.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Logger } from '../../ports/driven/logger.js';
import {
  SILENT_MS,
  type SilenceLimits,
  SPARE_MS,
  START_PATIENCE_MS,
  STOP_PATIENCE_MS,
  TICK_MS,
} from './limits.js';
import type { FromWorker, WorkerRole } from './messages.js';
import type { WorkerEnd, WorkerProcess } from './worker-process.js';

export interface WorkerEvents {
  readonly onMessage: (message: FromWorker) => void;
  readonly onExit: (end: WorkerEnd) => void;
}

export type StartWorker = (role: WorkerRole, events: WorkerEvents) => WorkerProcess;

export interface WorkerSetOptions {
  /** Processes that run while all is well: one owner, the others readers. */
  readonly size: number;
  /** Memory of one process in bytes, beyond which it is replaced. */
  readonly maxBytes: number;
  readonly silence: SilenceLimits;
  /** Whether calls wait for a worker. */
  readonly isAnyoneWaiting: () => boolean;
  readonly start: StartWorker;
  readonly onMessage: (worker: WorkerProcess, message: FromWorker) => void;
  readonly onReady: (worker: WorkerProcess) => void;
  readonly onExit: (worker: WorkerProcess, end: WorkerEnd) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Keeps worker processes running: replaces those that have ended, and ends those that are stuck or too large. */
export class WorkerSet {
  readonly #options: WorkerSetOptions;
  #workers: readonly WorkerProcess[] = [];
  #lastTick: number;
  /** Workers in a row that ended before they were ready. */
  #startFailures = 0;
  #lastStart = 0;
  #isStopping = false;

  /** @throws what keeps a process from being started */
  constructor(options: WorkerSetOptions) {
    this.#options = options;
    this.#lastTick = options.clock.monotonic();
    this.#startMissing();
  }

  get all(): readonly WorkerProcess[] {
    return this.#workers;
  }

  get owner(): WorkerProcess | undefined {
    return this.#workers.find(({ role }) => role === 'owner');
  }

  /** Those that can take calls but have given no sign of life lately. */
  silent(): readonly WorkerProcess[] {
    return this.#workers.filter((worker) => this.#isSilent(worker));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#workers.map((worker) => worker.stop(STOP_PATIENCE_MS)));
  }

  /** Looks at every worker; to be called every {@link TICK_MS}. */
  tick(): void {
    const now = this.#options.clock.monotonic();
    const missedMs = now - this.#lastTick - TICK_MS;
    this.#lastTick = now;
    for (const worker of this.#workers) {
      if (missedMs > TICK_MS) worker.forgive(missedMs, now);
      const fault = this.#faultOf(worker, worker.silentMs(now));
      if (fault !== undefined) this.#end(worker, fault);
    }
    this.#fill();
    this.#retireSpare(now);
  }

  #faultOf(worker: WorkerProcess, silentMs: number): Fault | undefined {
    if (!worker.isReady) return silentMs > START_PATIENCE_MS ? FAULTS.start : undefined;
    if (silentMs > this.#longestSilenceOf(worker)) return FAULTS.stuck;
    return worker.rssBytes() > this.#options.maxBytes ? FAULTS.memory : undefined;
  }

  /** Upkeep of a large database takes minutes in one step; of a small one, only if it is made to do so. */
  #longestSilenceOf(worker: WorkerProcess): number {
    const { stuckMs, stuckInUpkeepMs, bytesPerMs } = this.#options.silence;
    if (worker.calls.every(({ kind }) => kind !== 'upkeep')) return stuckMs;
    const { bytes = Infinity } = worker.currentWork() ?? {};
    return Math.min(stuckInUpkeepMs, stuckMs + bytes / bytesPerMs);
  }

  #end(worker: WorkerProcess, { why, sentence }: Fault): void {
    const { role } = worker;
    this.#options.logger.error(sentence, { role, project: worker.currentWork()?.path });
    worker.kill(why);
  }

  /** What keeps a process from being started, such as a lack of descriptors, may pass. */
  #fill(): void {
    if (this.#isStopping || !this.#mayStart()) return;
    try {
      this.#startMissing();
    } catch (error) {
      this.#startFailures += 1;
      const reason = reasonOf(error);
      this.#options.logger.error('A worker process could not be started.', { reason });
    }
  }

  /** Starts what is missing, and one more reader while no worker responds, or a single one and calls wait. */
  #startMissing(): void {
    if (this.owner === undefined) this.#start('owner');
    while (this.#workers.length < this.#options.size) this.#start('reader');
    const silent = this.silent().length;
    const wanted = silent > 0 && this.#options.isAnyoneWaiting() ? 2 : 1;
    const isShort = this.#workers.length - silent < wanted;
    if (isShort && this.#workers.length <= 2 * this.#options.size) this.#start('reader');
  }

  /** Workers that cannot even start are tried less and less often. */
  #mayStart(): boolean {
    if (this.#startFailures === 0) return true;
    const pauseMs = Math.min(30_000, 100 * 2 ** this.#startFailures);
    return this.#options.clock.monotonic() - this.#lastStart > pauseMs;
  }

  #retireSpare(now: number): void {
    const spare = this.#workers.findLast(({ role }) => role === 'reader');
    if (spare === undefined || this.#workers.length <= this.#options.size) return;
    const isNeeded = this.#workers.some((worker) => !worker.isReady || this.#isSilent(worker));
    if (isNeeded || spare.callCount > 0 || now - spare.startedAt < SPARE_MS) return;
    void spare.stop(STOP_PATIENCE_MS);
  }

  #start(role: WorkerRole): void {
    this.#lastStart = this.#options.clock.monotonic();
    const worker = this.#options.start(role, {
      onMessage: (message) => {
        if (message.kind === 'ready') this.#ready(worker);
        else this.#options.onMessage(worker, message);
      },
      onExit: (end) => this.#exited(worker, end),
    });
    this.#workers = [...this.#workers, worker];
  }

  #ready(worker: WorkerProcess): void {
    this.#startFailures = 0;
    this.#options.onReady(worker);
  }

  #exited(worker: WorkerProcess, end: WorkerEnd): void {
    this.#workers = this.#workers.filter((other) => other !== worker);
    if (!worker.hasBeenReady) this.#startFailures += 1;
    if (!this.#isStopping && end === 'failed') {
      this.#options.logger.warn('A worker process ended and is replaced.', {
        role: worker.role,
        project: worker.currentWork()?.path,
      });
    }
    this.#fill();
    this.#options.onExit(worker, end);
  }

  #isSilent(worker: WorkerProcess): boolean {
    return worker.isReady && worker.silentMs(this.#options.clock.monotonic()) > SILENT_MS;
  }
}

interface Fault {
  readonly why: 'stuck' | 'died';
  readonly sentence: string;
}

const FAULTS = {
  start: { why: 'died', sentence: 'A worker process did not start in time and is ended.' },
  stuck: { why: 'stuck', sentence: 'A worker process was stuck and is ended.' },
  memory: { why: 'died', sentence: 'A worker process used too much memory and is ended.' },
} as const satisfies Record<string, Fault>;
