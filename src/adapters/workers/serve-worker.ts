import { Worker } from 'node:worker_threads';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import { type CallContext, Channel, type Handlers, type Message, toPlainError } from './channel.js';
import { workNotes } from './current-work.js';
import {
  BEGUN,
  type HostMethods,
  isRead,
  LATE_MS,
  type ModelState,
  monotonicMs,
  type ServiceCall,
  TICK_MS,
  type WorkerMethods,
  type WorkerRole,
} from './protocol.js';
import { UnansweredError } from './unanswered.js';

/** What the core of a worker is composed with. */
interface WorkerWorld {
  readonly role: WorkerRole;
  readonly settings: unknown;
  /** That of the service. */
  readonly embedder: Embedder;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Runs `act` while no other worker uses the store of a project. */
  readonly exclusively: <T>(projectPath: string, act: () => Promise<T>) => Promise<T>;
  /** To be called before each piece of work on a project. */
  readonly noteWork: (projectPath: string) => void;
  /** To be called when the canonical path of a project is known. */
  readonly noteProject: (projectPath: string, path: string) => void;
}

/** What the service can ask for, besides calls of `services`. */
interface WorkerCore extends Pick<WorkerMethods, 'wake' | 'release' | 'totals' | 'checkStore'> {
  readonly services: object;
  stop(): Promise<void>;
}

type HostChannel = Channel<HostMethods, WorkerMethods>;

/** Serves the calls of the service in a worker process; call it once, in the entry point. */
export function serveWorker(compose: (world: WorkerWorld) => WorkerCore): void {
  let core: WorkerCore | undefined;
  let model: ModelState | undefined;
  const stop = async () => {
    await core?.stop().catch(() => undefined);
    process.exit(0);
  };
  const started = () => core as WorkerCore;
  const handlers: Handlers<WorkerMethods> = {
    start: (_, { role, settings, model: first }) => {
      model = first;
      const embedder = remoteEmbedder(channel, () => model ?? first);
      core = compose({ role, settings, embedder, ...worldOf(channel) });
      setInterval(() => channel.tell('beat', process.memoryUsage.rss()), TICK_MS);
      new Worker(PARENT_WATCH, { workerData: process.ppid, stdout: true, stderr: true }).unref();
    },
    run: (context, call, sentMs) => run(started().services, { call, sentMs, context }),
    wake: (_, projectPath) => started().wake(projectPath),
    release: (_, projectPath) => started().release(projectPath),
    totals: () => started().totals(),
    checkStore: () => started().checkStore(),
    modelChanged: (_, changed) => {
      model = changed;
    },
    stop,
  };
  const channel: HostChannel = new Channel(send, handlers);
  process.on('message', (message: Message) => channel.receive(message));
  process.on('disconnect', stop);
  // The service gets these as well, and says when to stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
}

/** Sends a message to the service, if that is still there. */
function send(message: Message): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

interface GivenCall {
  readonly call: ServiceCall;
  readonly sentMs: number;
  readonly context: CallContext;
}

async function run(services: object, { call, sentMs, context }: GivenCall): Promise<unknown> {
  const { service, method, kind, args, isTracked } = call;
  if (!isRead(call)) {
    if (monotonicMs() - sentMs > LATE_MS) throw new UnansweredError('late');
    context.onProgress(BEGUN);
  }
  const methods = (services as Readonly<Record<string, Methods>>)[service];
  const tracked = () => [...args.slice(0, -1), { ...(args.at(-1) as object), ...context }];
  try {
    return await methods?.[method]?.(...(isTracked ? tracked() : args));
  } finally {
    // 100 MB of an upkeep would lie about until this worker does much again. `--expose-gc` is in `worker-process.ts`.
    if (kind === 'upkeep') setImmediate(() => globalThis.gc?.());
  }
}

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

function worldOf(channel: HostChannel): Omit<WorkerWorld, 'role' | 'settings' | 'embedder'> {
  const known = new Map<string, string>();
  return {
    logger: remoteLogger(channel),
    metrics: remoteMetrics(channel),
    exclusively: async (projectPath, act) => {
      await channel.call('claim', [projectPath]);
      return act().finally(() => channel.call('endClaim', [projectPath]));
    },
    noteWork: workNotes(CURRENT_WORK_FILE),
    noteProject: (projectPath, path) => {
      if ((known.get(projectPath) ?? projectPath) === path) return;
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(projectPath, path);
      channel.tell('knowProject', projectPath, path);
    },
  };
}

function remoteLogger(channel: HostChannel): Logger {
  const write =
    (level: keyof Logger): Logger['info'] =>
    (message, fields = {}) =>
      channel.tell('log', { level, message, fields: plain(fields) });
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}

function remoteMetrics(channel: HostChannel): Metrics {
  const count =
    (name: keyof Metrics) =>
    (...args: readonly unknown[]) =>
      channel.post('count', name, args);
  return {
    searched: count('searched'),
    answered: count('answered'),
    modelCalled: count('modelCalled'),
    retried: count('retried'),
    embeddingWaits: count('embeddingWaits'),
    embedded: count('embedded'),
  };
}

/** The embedder of the service's process. */
function remoteEmbedder(channel: HostChannel, model: () => ModelState): Embedder {
  const { name, dimensions } = model();
  return {
    model: name,
    dimensions,
    isReady: () => model().status.state === 'ready',
    status: () => model().status,
    load: () => channel.post('loadModel'),
    embed: async (text, signal) => {
      const [vector] = await channel.call('embed', [[text], 'query'], { signal });
      return vector ?? new Float32Array(dimensions);
    },
    embedBatch: async (texts) =>
      texts.length === 0 ? [] : channel.call('embed', [texts, 'batch']),
    close: async () => {},
  };
}

/** Errors among the fields become text, because a message to another process loses their classes. */
function plain(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(
    JSON.stringify(fields, (_, value) => (value instanceof Error ? toPlainError(value) : value)),
  );
}

/** A thread that ends this process after the service, even if it is stuck. */
const PARENT_WATCH = new URL('./parent-watch.js', import.meta.url);
/** The descriptor after standard input, output, error and the channel. */
const CURRENT_WORK_FILE = 4;
const MAX_KNOWN = 10_000;
