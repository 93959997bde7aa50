import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import type { ProjectServices } from '../../ports/driving/service-methods.js';
import { SILENCE_LIMITS, type SilenceLimits } from './limits.js';
import type { Counted, FromWorker, PoolRequest, WorkerRequest } from './messages.js';
import { ModelHost } from './model-host.js';
import { UnansweredError } from './open-calls.js';
import { resultOf } from './plain-error.js';
import { remoteServices } from './remote-services.js';
import { REFUSALS } from './waiting-call.js';
import { WorkerPool } from './worker-pool.js';
import { WorkerProcess } from './worker-process.js';

export interface WorkerServiceOptions {
  /** The compiled entry point of the workers, which calls `serveWorker`. */
  readonly file: URL;
  /** What the entry point needs to compose its core; plain data. */
  readonly settings: unknown;
  readonly workers: number;
  /** Memory of one worker in MB, beyond which it is replaced. */
  readonly maxMb: number;
  /** Default: 20 seconds, and 10 minutes in upkeep. */
  readonly silence?: SilenceLimits;
  /** Used by all workers. */
  readonly embedder: Embedder;
  /** Receives what the workers count. */
  readonly metrics?: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The driving ports, served by worker processes, which touch the projects in place of this process. */
export class WorkerService {
  readonly services: ProjectServices;
  readonly #options: WorkerServiceOptions;
  readonly #pool: WorkerPool;
  readonly #model: ModelHost;

  constructor(options: WorkerServiceOptions) {
    const { clock, embedder, logger, maxMb } = options;
    this.#options = options;
    this.#model = new ModelHost(embedder);
    this.#pool = new WorkerPool({
      size: options.workers,
      maxBytes: maxMb * 2 ** 20,
      silence: options.silence ?? SILENCE_LIMITS,
      start: (role, events) =>
        new WorkerProcess({
          file: options.file,
          role,
          start: () => ({ settings: options.settings, model: this.#model.state() }),
          heapMb: maxMb,
          now: () => clock.monotonic(),
          ...events,
        }),
      onMessage: (worker, message) => this.#receive(worker, message),
      onTick: (workers) => this.#model.tell(workers),
      onExit: (worker) => this.#model.forget(worker),
      clock,
      logger,
    });
    this.services = remoteServices((call, run) => this.#pool.run(call, run), {
      getModelStatus: () => {
        const { state, download } = embedder.status();
        return { name: embedder.model, state, download };
      },
    });
  }

  /** Number of calls that no worker has yet. */
  get waitingCalls(): number {
    return this.#pool.waitingCalls;
  }

  /** Number of projects that were used within the last minute. */
  get activeProjects(): number {
    return this.#pool.activeProjects;
  }

  /** Process ids of the workers, the owner first. */
  get processIds(): readonly number[] {
    return this.#pool.workers.all.map(({ processId }) => processId);
  }

  /** Resolves when all workers can take calls; rejects if one cannot start. */
  async ready(): Promise<void> {
    await Promise.all(this.#pool.workers.all.map(({ ready }) => ready));
  }

  /**
   * Asks the owner for something that concerns no project; undefined while there is none.
   * @throws KnowledgeError `store_unavailable` if it does not answer
   */
  async askOwner(request: PoolRequest): Promise<unknown> {
    try {
      return await this.#pool.workers.owner?.request(request);
    } catch (error) {
      throw error instanceof UnansweredError ? REFUSALS.died() : error;
    }
  }

  stopWaiting(): void {
    for (const worker of this.#pool.workers.all) worker.send({ kind: 'stopWaiting' });
  }

  stop(): Promise<void> {
    return this.#pool.stop();
  }

  #receive(worker: WorkerProcess, message: FromWorker): void {
    if (message.kind === 'log') {
      this.#options.logger[message.level](message.message, message.fields);
    } else if ('counted' in message) {
      for (const counted of message.counted) this.#count(counted);
    } else if (message.kind === 'project') {
      this.#pool.blame.know(message.projectPath, message.path);
    } else if (message.kind === 'loadModel') {
      this.#model.load();
    } else if (message.kind === 'cancel') {
      this.#model.cancel(worker, message);
    } else if (message.kind === 'ask') {
      void this.#grant(worker, message.id, message.request);
    }
  }

  async #grant(worker: WorkerProcess, id: number, request: WorkerRequest): Promise<void> {
    if (request.name === 'embed') return this.#model.embed(worker, id, request);
    const { claims } = this.#pool;
    const { name, projectPath } = request;
    const result = await resultOf(async () =>
      name === 'claim' ? claims.begin(projectPath, worker) : claims.end(projectPath, worker),
    );
    worker.send({ kind: 'reply', id, result });
  }

  #count({ name, args }: Counted): void {
    const count = this.#options.metrics?.[name] as
      | ((...values: readonly unknown[]) => void)
      | undefined;
    count?.apply(this.#options.metrics, [...args]);
  }
}
