import { isRecord } from '../../domain/records.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { LogFields, Logger } from '../../ports/driven/logger.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import {
  type MethodKind,
  type ProjectServices,
  SERVICE_METHODS,
} from '../../ports/driving/service-methods.js';
import type { CallOptions, Handlers } from './channel.js';
import type { HostMethods, ModelState, ServiceCall } from './protocol.js';
import { REFUSALS, UnansweredError } from './unanswered.js';
import { WorkerPool } from './worker-pool.js';
import { WorkerProcess } from './worker-process.js';
import { SILENCE_LIMITS, type SilenceLimits } from './worker-set.js';

interface WorkerServiceOptions {
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
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The driving ports, served by worker processes, which touch the projects in place of this process. */
export class WorkerService {
  readonly services: ProjectServices;
  readonly #options: WorkerServiceOptions;
  readonly #pool: WorkerPool;
  /** What the workers were told last. */
  #model: ModelState;
  readonly #saidOfFiles = new Set<string>();

  constructor(options: WorkerServiceOptions) {
    const { clock, embedder, logger, workers: size, maxMb: heapMb } = options;
    this.#options = options;
    this.#model = modelStateOf(embedder);
    this.#pool = new WorkerPool({
      size,
      maxBytes: heapMb * 2 ** 20,
      silence: options.silence ?? SILENCE_LIMITS,
      start: (role, onExit) => {
        const start = { role, settings: options.settings, model: modelStateOf(embedder) };
        const handlers = this.#handlersFor(() => worker);
        const worker = new WorkerProcess({ file: options.file, start, heapMb, handlers, onExit });
        return worker;
      },
      onTick: () => this.#tellModel(),
      clock,
      logger,
    });
    const remote = remoteServices((call, following) => this.call(call, following));
    const getModelStatus = () => {
      const { state, download } = embedder.status();
      return { name: embedder.model, state, download };
    };
    this.services = { ...remote, store: { ...remote.store, getModelStatus } };
  }

  /** Number of calls that no worker has yet. */
  get waitingCalls(): number {
    return this.#pool.waitingCalls;
  }

  /** Number of projects that were used within the last minute. */
  get activeProjects(): number {
    return this.#pool.projects.allOwned().length;
  }

  /** Process ids of the workers, the owner first. */
  get processIds(): readonly number[] {
    return this.#pool.workers.all.map(({ processId }) => processId);
  }

  /** Resolves when all workers can take calls; rejects if one cannot start. */
  async ready(): Promise<void> {
    await answered(Promise.all(this.#pool.workers.all.map(({ ready }) => ready)));
  }

  /** Calls a service that the workers have. */
  call(call: ServiceCall, options?: CallOptions): Promise<unknown> {
    return this.#pool.run(call, options);
  }

  /**
   * Asks the owner for something that concerns no project; undefined while there is none.
   * @throws KnowledgeError `store_unavailable` if it does not answer
   */
  async askOwner(method: 'totals' | 'checkStore'): Promise<unknown> {
    const { owner } = this.#pool.workers;
    return owner && answered(owner.channel.call(method, []));
  }

  stop(): Promise<void> {
    return this.#pool.stop();
  }

  #handlersFor(worker: () => WorkerProcess): Handlers<Omit<HostMethods, 'beat'>> {
    const { embedder, logger, metrics } = this.#options;
    const counters = metrics as unknown as Readonly<Record<string, (...args: unknown[]) => void>>;
    return {
      log: (_, { level, message, fields }) => {
        if (this.#isNew(message, fields)) logger[level](message, fields);
      },
      count: (_, name, args) => counters[name]?.(...args),
      embed: async ({ signal }, texts, purpose) =>
        purpose === 'query'
          ? [await embedder.embed(texts[0] ?? '', signal)]
          : embedder.embedBatch(texts),
      loadModel: () => embedder.load(),
      claim: (_, path) => this.#pool.claims.begin(path, worker()),
      endClaim: (_, path) => this.#pool.claims.end(path, worker()),
      knowProject: (_, projectPath, path) => this.#pool.projects.know(projectPath, path),
    };
  }

  /** Whether no worker has said this yet; each says once what is wrong with a version of a file. */
  #isNew(message: string, fields: LogFields): boolean {
    if (fields['fileVersion'] === undefined) return true;
    const said = JSON.stringify([message, fields]);
    if (this.#saidOfFiles.has(said)) return false;
    if (this.#saidOfFiles.size >= SAID_MAX) this.#saidOfFiles.clear();
    this.#saidOfFiles.add(said);
    return true;
  }

  #tellModel(): void {
    const model = modelStateOf(this.#options.embedder);
    if (JSON.stringify(model) === JSON.stringify(this.#model)) return;
    this.#model = model;
    for (const { channel } of this.#pool.workers.all) channel.tell('modelChanged', model);
  }
}

/** @throws KnowledgeError `store_unavailable` where a worker ended instead */
async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof UnansweredError ? REFUSALS.died() : error;
  }
}

function modelStateOf(embedder: Embedder): ModelState {
  return { name: embedder.model, dimensions: embedder.dimensions, status: embedder.status() };
}

/** Warnings of this many versions of files are remembered. */
const SAID_MAX = 1000;

type RunCall = (call: ServiceCall, options: CallOptions) => Promise<unknown>;

/** The driving ports of a core in another process. */
function remoteServices(run: RunCall): ProjectServices {
  const services = Object.entries(SERVICE_METHODS).map(([service, methods]) => {
    const remote = Object.entries<MethodKind>(methods).map(([method, kind]) => [
      method,
      async (...args: readonly unknown[]) => run(...separated({ service, method, kind, args })),
    ]);
    return [service, Object.fromEntries(remote)];
  });
  return Object.fromEntries(services);
}

/** Functions and signals, which only the last argument can have, stay in this process. */
function separated(call: ServiceCall): [ServiceCall, CallOptions] {
  const last = call.args.at(-1);
  if (!isRecord(last) || !('onProgress' in last || 'signal' in last)) return [call, {}];
  const { onProgress, signal, ...rest } = last;
  const args = [...call.args.slice(0, -1), rest];
  return [{ ...call, args, isTracked: true }, { onProgress, signal } as CallOptions];
}
