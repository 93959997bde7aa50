import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../../domain/errors.js';
import type { Logger } from '../../ports/driven/logger.js';
import { monotonicMs, type WorkerRole } from './protocol.js';
import type { WorkerEnd, WorkerProcess } from './worker-process.js';

/** How long a worker may be silent before it is ended. */
export interface SilenceLimits {
  readonly stuckMs: number;
  /** While it does upkeep, whose single steps may take minutes. */
  readonly stuckInUpkeepMs: number;
}
export const SILENCE_LIMITS: SilenceLimits = { stuckMs: 20_000, stuckInUpkeepMs: 10 * 60_000 };

export interface WorkerSetOptions {
  /** Processes that run while all is well: one owner, the others readers. */
  readonly size: number;
  /** Memory of one process in bytes, beyond which it is replaced. */
  readonly maxBytes: number;
  readonly silence: SilenceLimits;
  readonly start: (role: WorkerRole, onExit: (end: WorkerEnd) => void) => WorkerProcess;
  /** Whether a worker does upkeep of the project that it works on. */
  readonly isInUpkeep: (worker: WorkerProcess) => boolean;
  /** Whether calls wait for a worker. */
  readonly isAnyoneWaiting: () => boolean;
  readonly onReady: (worker: WorkerProcess) => void;
  readonly onExit: (worker: WorkerProcess, end: WorkerEnd) => void;
  readonly logger: Logger;
}

/** Keeps worker processes running: replaces those that have ended, and ends those that are stuck or too large. */
export class WorkerSet {
  readonly #options: WorkerSetOptions;
  #workers: readonly WorkerProcess[] = [];
  /** A worker that cannot even start is tried again after a pause. */
  #failedStartAt = Number.NEGATIVE_INFINITY;
  #isStopping = false;

  /** @throws what keeps a process from being started */
  constructor(options: WorkerSetOptions) {
    this.#options = options;
    this.#startMissing();
  }

  get all(): readonly WorkerProcess[] {
    return this.#workers;
  }

  get owner(): WorkerProcess | undefined {
    return this.#workers.find(({ role }) => role === 'owner');
  }

  /** Those that could take calls but have given no sign of life lately. */
  get silent(): readonly WorkerProcess[] {
    return this.#workers.filter(({ isSilent }) => isSilent);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const stopped = (role: WorkerRole) =>
      this.all.filter((one) => one.role === role).map((one) => one.stop(STOP_PATIENCE_MS));
    const readers = Promise.all(stopped('reader'));
    // The readers first: of two that close a database at the same moment, neither removes its log.
    await Promise.race([readers, pause(READERS_FIRST_MS, undefined, { ref: false })]);
    await Promise.all([readers, ...stopped('owner')]);
  }

  /** Looks at every worker; to be called every `TICK_MS`. */
  tick(): void {
    for (const worker of this.#workers) {
      worker.tick();
      const fault = this.#faultOf(worker);
      if (fault === undefined) continue;
      const [role, project] = [worker.role, worker.currentWork()];
      this.#options.logger.error(FAULTS[fault].sentence, { role, project });
      worker.kill(FAULTS[fault].why);
    }
    this.#fill();
    this.#retireSpare();
  }

  #faultOf(worker: WorkerProcess): keyof typeof FAULTS | undefined {
    const { silence, isInUpkeep, maxBytes } = this.#options;
    if (worker.isStarting) return worker.silentMs > START_PATIENCE_MS ? 'start' : undefined;
    if (!worker.isReady) return undefined;
    if (worker.silentMs > silence.stuckMs) {
      const isPatient = worker.silentMs <= silence.stuckInUpkeepMs && isInUpkeep(worker);
      if (!isPatient) return 'stuck';
    }
    return worker.rssBytes() > maxBytes ? 'memory' : undefined;
  }

  /** What keeps a process from being started, such as a lack of descriptors, may pass. */
  #fill(): void {
    if (this.#isStopping || monotonicMs() - this.#failedStartAt < START_PAUSE_MS) return;
    try {
      this.#startMissing();
    } catch (error) {
      this.#failedStartAt = monotonicMs();
      const reason = reasonOf(error);
      this.#options.logger.error('A worker process could not be started.', { reason });
    }
  }

  /** Starts what is missing, and one more reader while no worker responds, or a single one and calls wait. */
  #startMissing(): void {
    const { size, isAnyoneWaiting } = this.#options;
    if (this.owner === undefined) this.#start('owner');
    while (this.#workers.length < size) this.#start('reader');
    const silent = this.silent.length;
    const wanted = silent > 0 && isAnyoneWaiting() ? 2 : 1;
    const isShort = this.#workers.length - silent < wanted;
    if (isShort && this.#workers.length <= 2 * size) this.#start('reader');
  }

  #retireSpare(): void {
    const spare = this.#workers.findLast(({ role }) => role === 'reader');
    if (spare === undefined || this.#workers.length <= this.#options.size) return;
    const isNeeded = this.#workers.some(({ isReady, isSilent }) => !isReady || isSilent);
    if (isNeeded || spare.calls.size > 0 || monotonicMs() - spare.startedAt < SPARE_MS) return;
    void spare.stop(STOP_PATIENCE_MS);
  }

  #start(role: WorkerRole): void {
    const worker = this.#options.start(role, (end) => this.#exited(worker, end));
    this.#workers = [...this.#workers, worker];
    worker.ready.then(
      () => this.#options.onReady(worker),
      () => {
        this.#failedStartAt = monotonicMs();
      },
    );
  }

  #exited(worker: WorkerProcess, end: WorkerEnd): void {
    this.#workers = this.#workers.filter((other) => other !== worker);
    if (!this.#isStopping && end.isFault) {
      const { role } = worker;
      const { project } = end;
      this.#options.logger.warn('A worker process ended and is replaced.', { role, project });
    }
    this.#options.onExit(worker, end);
    // The failure of a start is noted first.
    setImmediate(() => this.#fill());
  }
}

const FAULTS = {
  start: { why: 'died', sentence: 'A worker process did not start in time and is ended.' },
  stuck: { why: 'stuck', sentence: 'A worker process was stuck and is ended.' },
  memory: { why: 'died', sentence: 'A worker process used too much memory and is ended.' },
} as const;

/** How long a worker may take to start, and how long after a failed start the next one is tried. */
const START_PATIENCE_MS = 30_000;
const START_PAUSE_MS = 1_000;

/** A reader that was started because no other worker responded ends after so long. */
const SPARE_MS = 30_000;

/** How long a worker may take to stop: within the 10 seconds of the whole service. */
const STOP_PATIENCE_MS = 4_000;
const READERS_FIRST_MS = 500;
