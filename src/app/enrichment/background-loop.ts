import { errorReason, ModelCallError } from '../../domain/errors.js';
import { LONGEST_LEASE_MS } from '../../domain/limits.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { BackgroundWorkName, Metrics } from '../../ports/metrics.js';
import type { Leases } from '../../ports/project-stores.js';
import { Backoff, type BackoffOptions } from '../../shared/backoff.js';
import { whileRenewing } from '../leases.js';
import type { Project } from '../project.js';

/** `worked`: there may be more to do. `idle`: nothing to do until the loop is woken. */
export type StepOutcome = 'worked' | 'idle';

export interface BackgroundWork {
  /** Name of the lease that keeps two processes from doing the same work. */
  readonly name: BackgroundWorkName;
  readonly leases: Leases;
  /** Whether there is a model to work with. If not, no lease is taken, because that would be a write. */
  canWork(): boolean;
  /** Returns early, with the work done so far, once `stopping` is aborted. */
  step(stopping: AbortSignal): Promise<StepOutcome>;
}

export interface LoopOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export const VECTORS_LEASE = 'vectors';

/** Whether any process is computing vectors for a project. */
export function isEmbedding({ store }: Project): Promise<boolean> {
  return store.upkeep.isHeld(VECTORS_LEASE);
}

const LEASE_PAUSE_MS = 5_000;
const BACKOFF: BackoffOptions = { firstMs: 1_000, longestMs: 5 * 60_000 };

/** Repeats a step of background work until nothing is left to do. Backs off after consecutive failures. */
export class BackgroundLoop {
  readonly #work: BackgroundWork;
  readonly #options: LoopOptions;
  readonly #stopping = new AbortController();
  readonly #pause: Backoff;
  #running: Promise<void> | undefined;
  #isScheduledAgain = false;

  constructor(work: BackgroundWork, options: LoopOptions) {
    this.#work = work;
    this.#options = options;
    this.#pause = new Backoff(BACKOFF, () => options.clock.monotonic());
  }

  schedule(): void {
    this.#isScheduledAgain = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isScheduledAgain && !this.#stopping.signal.aborted) this.schedule();
    });
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whether the last step failed, so that the next one waits. */
  get isRetrying(): boolean {
    return this.isRunning && this.#pause.failure !== undefined;
  }

  /**
   * Waits for the current step and starts no more. Interrupt the model calls of the step first, or this waits for them.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#isScheduledAgain = false;
    if (!this.#canGoOn()) return;
    while (this.#canGoOn() && (await this.#turn()) === 'worked');
    await this.#release();
  }

  async #release(): Promise<void> {
    await this.#work.leases.release(this.#work.name).catch(() => undefined);
  }

  #canGoOn(): boolean {
    return !this.#stopping.signal.aborted && this.#work.canWork();
  }

  async #turn(): Promise<StepOutcome> {
    const { clock, logger, metrics } = this.#options;
    try {
      const { leases, name } = this.#work;
      if (!(await leases.acquire(name, LONGEST_LEASE_MS))) {
        await clock.sleep(LEASE_PAUSE_MS, this.#stopping.signal);
        return 'worked';
      }
      const lease = { leases, name, durationMs: LONGEST_LEASE_MS };
      const outcome = await whileRenewing(clock, lease, () =>
        this.#work.step(this.#stopping.signal),
      );
      this.#pause.succeeded();
      return outcome;
    } catch (error) {
      if (this.#stopping.signal.aborted) return 'idle';
      const { name: work } = this.#work;
      const reason = errorReason(error);
      const askedFor = error instanceof ModelCallError ? error.retryAfterMs : undefined;
      const pauseMs = this.#pause.failed(reason, askedFor);
      metrics.retried(work);
      const fields = { work, reason, pauseMs };
      logger.warn('Background work failed and will be retried after a pause.', fields);
      // Releases the lease during the pause, because another process may have a working model.
      await this.#release();
      await clock.sleep(pauseMs, this.#stopping.signal);
      return 'worked';
    }
  }
}
