import { performance } from 'node:perf_hooks';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import type { ProjectServices } from '../../ports/driving/service-methods.js';
import { projectNotes } from './current-project.js';
import { LATE_MS, TICK_MS } from './limits.js';
import type {
  Counted,
  PoolRequest,
  ServiceCall,
  StartMessage,
  ToWorker,
  WorkerRequest,
  WorkerRole,
} from './messages.js';
import { resultOf, unwrapped } from './plain-error.js';
import { monotonicMs } from './process-facts.js';
import { RemoteEmbedder } from './remote-embedder.js';
import { isRead } from './routing.js';
import { collectedMetrics, send, sentLog } from './worker-reports.js';

/** What the core of a worker is composed with. */
export interface WorkerWorld {
  readonly role: WorkerRole;
  readonly settings: unknown;
  readonly embedder: Embedder;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Runs `act` while no other worker uses the store of a project. */
  readonly exclusively: <T>(projectPath: string, act: () => Promise<T>) => Promise<T>;
  /** To be called before each piece of work on a project, with the size of its database if that is used. */
  readonly noteWork: (projectPath: string, bytes?: number) => void;
  /** To be called when the canonical path of a project is known. */
  readonly noteProject: (projectPath: string, path: string) => void;
}

export interface WorkerCore {
  readonly services: ProjectServices;
  readonly handle: (request: PoolRequest) => Promise<unknown>;
  readonly stopWaiting: () => void;
  readonly stop: () => Promise<void>;
}

/** Serves the calls of the service in a worker process; call it once, in the entry point. */
export function serveWorker(compose: (world: WorkerWorld) => WorkerCore): void {
  const server = new WorkerServer(compose);
  process.on('message', (message: ToWorker) => server.receive(message));
  process.on('disconnect', () => server.end());
  // The service gets these as well, and says when to stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
}

class WorkerServer {
  readonly #compose: (world: WorkerWorld) => WorkerCore;
  readonly #asked = new Map<number, (message: ToWorker & { readonly kind: 'reply' }) => void>();
  readonly #tracked = new Map<number, AbortController>();
  readonly #counted: Counted[] = [];
  #lastId = 0;
  #core: WorkerCore | undefined;
  #embedder: RemoteEmbedder | undefined;
  #lastBeat = performance.eventLoopUtilization();

  constructor(compose: (world: WorkerWorld) => WorkerCore) {
    this.#compose = compose;
  }

  receive(message: ToWorker): void {
    if (message.kind === 'start') this.#start(message);
    else if (message.kind === 'call') void this.#call(message);
    else if (message.kind === 'request') void this.#answer(message.id, this.#handle(message));
    else if (message.kind === 'abort') this.#tracked.get(message.id)?.abort();
    else if (message.kind === 'model') this.#embedder?.note(message.model);
    else if (message.kind === 'reply') this.#asked.get(message.id)?.(message);
    else if (message.kind === 'stopWaiting') this.#core?.stopWaiting();
    else void this.end();
  }

  /** Stops, and ends the process even if that does not come to an end. */
  async end(): Promise<void> {
    setTimeout(() => process.exit(1), END_PATIENCE_MS).unref();
    await this.#core?.stop().catch(() => undefined);
    process.exit(0);
  }

  #start({ role, settings, model }: StartMessage): void {
    const ask = (request: WorkerRequest, signal?: AbortSignal) => this.#ask(request, signal);
    this.#embedder = new RemoteEmbedder({ model, ask, load: () => send({ kind: 'loadModel' }) });
    this.#core = this.#compose({
      role,
      settings,
      embedder: this.#embedder,
      logger: sentLog(),
      metrics: collectedMetrics(this.#counted),
      exclusively: async (projectPath, act) => {
        await ask({ name: 'claim', projectPath });
        return act().finally(() => ask({ name: 'endClaim', projectPath }));
      },
      noteWork: projectNotes(CURRENT_PROJECT_FILE),
      noteProject,
    });
    setInterval(() => this.#beat(), TICK_MS);
    send({ kind: 'ready' });
  }

  #beat(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#lastBeat);
    this.#lastBeat = now;
    const rssBytes = process.memoryUsage.rss();
    send({ kind: 'beat', utilization, rssBytes, counted: this.#counted.splice(0) });
  }

  async #call({ id, call, sentMs }: ToWorker & { readonly kind: 'call' }): Promise<void> {
    if (!isRead(call)) {
      if (monotonicMs() - sentMs > LATE_MS) return send({ kind: 'late', id });
      send({ kind: 'begun', id });
    }
    const args = call.isTracked ? this.#withTracking(id, call.args) : call.args;
    await this.#answer(id, this.#run(call, args));
    this.#tracked.delete(id);
  }

  async #run({ service, method }: ServiceCall, args: readonly unknown[]): Promise<unknown> {
    const methods = this.#core?.services[service] as unknown as Methods;
    return methods[method]?.(...args);
  }

  async #handle({ request }: ToWorker & { readonly kind: 'request' }): Promise<unknown> {
    return this.#core?.handle(request);
  }

  async #answer(id: number, work: Promise<unknown>): Promise<void> {
    const result = await resultOf(() => work);
    send({ kind: 'result', id, result, counted: this.#counted.splice(0) });
  }

  #withTracking(id: number, args: readonly unknown[]): readonly unknown[] {
    const aborting = new AbortController();
    this.#tracked.set(id, aborting);
    const onProgress = (value: unknown) => send({ kind: 'progress', id, value });
    const last = { ...(args.at(-1) as object), onProgress, signal: aborting.signal };
    return [...args.slice(0, -1), last];
  }

  async #ask(request: WorkerRequest, signal?: AbortSignal): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const cancel = () => send({ kind: 'cancel', id });
    signal?.addEventListener('abort', cancel, { once: true });
    const reply = await new Promise<ToWorker & { readonly kind: 'reply' }>((resolve) => {
      this.#asked.set(id, resolve);
      send({ kind: 'ask', id, request });
    });
    this.#asked.delete(id);
    signal?.removeEventListener('abort', cancel);
    return unwrapped(reply.result);
  }
}

/** The service knows the projects by the paths of its callers. */
function noteProject(projectPath: string, path: string): void {
  if (projectPath !== path) send({ kind: 'project', projectPath, path });
}

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

/** The descriptor after standard input, output, error and the channel. */
const CURRENT_PROJECT_FILE = 4;

const END_PATIENCE_MS = 6_000;
