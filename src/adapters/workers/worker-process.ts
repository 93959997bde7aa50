import { type ChildProcess, fork } from 'node:child_process';
import { KnowledgeError } from '../../domain/errors.js';
import { CurrentProject, type NotedWork } from './current-project.js';
import type { FromWorker, PoolRequest, ServiceCall, ToWorker, WorkerRole } from './messages.js';
import {
  type OpenCall,
  OpenCalls,
  type RunOptions,
  type Unanswered,
  UnansweredError,
} from './open-calls.js';
import { monotonicMs, rssBytesOf } from './process-facts.js';

export interface WorkerProcessOptions {
  /** The compiled entry point. */
  readonly file: URL;
  readonly role: WorkerRole;
  readonly start: () => Omit<ToWorker & { readonly kind: 'start' }, 'kind' | 'role'>;
  /** Limit of its heap, in MB. */
  readonly heapMb: number;
  /** Milliseconds on a clock that never goes backwards. */
  readonly now: () => number;
  /** Receives what is not a result. */
  readonly onMessage: (message: FromWorker) => void;
  /** Called once, after every unanswered call has been rejected. */
  readonly onExit: (end: WorkerEnd) => void;
}

/** `asked`: it was stopped by the service, or killed by another program. `failed`: it crashed, was stuck or too large. */
export type WorkerEnd = 'asked' | 'failed';

/** One worker process and the calls that it has not answered yet. */
export class WorkerProcess {
  readonly role: WorkerRole;
  readonly startedAt: number;
  /** Resolves when it can take calls; rejects if it ends before. */
  readonly ready: Promise<void>;
  readonly #options: WorkerProcessOptions;
  readonly #child: ChildProcess;
  readonly #current = new CurrentProject();
  readonly #calls = new OpenCalls();
  #seenAt: number;
  #isReady = false;
  #killedAs: Unanswered | undefined;
  #isStopped = false;
  #hasExited = false;
  #utilization = 0;
  #reportedBytes = 0;
  #lastWork: NotedWork | undefined;
  #start: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;

  constructor(options: WorkerProcessOptions) {
    this.#options = options;
    this.role = options.role;
    this.startedAt = options.now();
    this.#seenAt = this.startedAt;
    this.ready = new Promise((resolve, reject) => {
      this.#start = { resolve, reject };
    });
    this.ready.catch(() => undefined);
    this.#child = fork(options.file, [], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${options.heapMb}`, YOUNG_GENERATION],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', this.#current.file],
    });
    this.#child.on('message', (message: FromWorker) => this.#receive(message));
    this.#child.on('error', () => this.#child.pid === undefined && this.#exited(null));
    this.#child.on('exit', (_, signal) => this.#exited(signal));
    this.send({ kind: 'start', role: options.role, ...options.start() });
  }

  get processId(): number {
    return this.#child.pid ?? 0;
  }

  get isReady(): boolean {
    const isEnding = this.#hasExited || this.#isStopped || this.#killedAs !== undefined;
    return this.#isReady && !isEnding;
  }

  /** Whether it could ever take calls; `isReady` says whether it can now. */
  get hasBeenReady(): boolean {
    return this.#isReady;
  }

  /** Share of the last moments in which its event loop was busy, 0 to 1. */
  get utilization(): number {
    return this.#utilization;
  }

  /** The calls that it has not answered. */
  get calls(): readonly OpenCall[] {
    return this.#calls.all();
  }

  get callCount(): number {
    return this.#calls.size;
  }

  callCountOf(project: string): number {
    return this.calls.filter((call) => call.project === project).length;
  }

  /** How long it has shown no sign of life. */
  silentMs(now: number): number {
    return now - this.#seenAt;
  }

  /** Leaves a time out of account in which this process itself stood still. */
  forgive(ms: number, now: number): void {
    this.#seenAt = Math.min(now, this.#seenAt + ms);
  }

  /** Memory that it uses; where the system does not tell, as it has reported itself. */
  rssBytes(): number {
    return rssBytesOf(this.processId) ?? this.#reportedBytes;
  }

  /** What it worked on last. */
  currentWork(): NotedWork | undefined {
    return this.#hasExited ? this.#lastWork : this.#current.read();
  }

  /** @throws UnansweredError, or what the call itself throws */
  run(call: ServiceCall, options: RunOptions = {}): Promise<unknown> {
    const project = String(call.args[0]);
    const sentAt = this.#options.now();
    const { id, result } = this.#calls.add({ project, kind: call.kind, options, sentAt });
    this.send({ kind: 'call', id, call, sentMs: monotonicMs() });
    const abort = () => this.send({ kind: 'abort', id });
    if (options.signal?.aborted) abort();
    options.signal?.addEventListener('abort', abort, { once: true });
    return result.finally(() => options.signal?.removeEventListener('abort', abort));
  }

  request(request: PoolRequest): Promise<unknown> {
    const project = 'projectPath' in request ? request.projectPath : '';
    const sentAt = this.#options.now();
    const { id, result } = this.#calls.add({ project, kind: 'local', options: {}, sentAt });
    this.send({ kind: 'request', id, request });
    return result;
  }

  /** Rejects a call as `takenBack` and ignores its answer. */
  takeBack({ id }: OpenCall): void {
    this.#calls.reject(id, new UnansweredError('takenBack'));
  }

  send(message: ToWorker): void {
    if (!this.#hasExited && this.#child.connected) this.#child.send(message, () => undefined);
  }

  kill(why: Unanswered): void {
    this.#killedAs = why;
    this.#child.kill('SIGKILL');
  }

  /** Asks it to end, and kills it after a while; resolves when it has ended. */
  async stop(timeoutMs: number): Promise<void> {
    if (this.#hasExited) return;
    const exited = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.#isStopped = true;
    this.send({ kind: 'stop' });
    const timer = setTimeout(() => this.kill('died'), timeoutMs);
    await exited;
    clearTimeout(timer);
  }

  #receive(message: FromWorker): void {
    if (this.#hasExited && message.kind !== 'log') return;
    this.#seenAt = this.#options.now();
    if ('counted' in message && message.counted.length > 0) this.#options.onMessage(message);
    if (message.kind === 'beat') {
      this.#utilization = message.utilization;
      this.#reportedBytes = message.rssBytes;
    } else if (message.kind === 'ready') {
      this.#isReady = true;
      this.#start?.resolve();
      this.#options.onMessage(message);
    } else if (!this.#calls.receive(message)) {
      this.#options.onMessage(message);
    }
  }

  #exited(signal: NodeJS.Signals | null): void {
    const wasKilledByOthers = this.#killedAs === undefined && signal === 'SIGKILL';
    this.#lastWork = this.#current.read();
    this.#hasExited = true;
    this.#current.close();
    this.#start?.reject(
      new KnowledgeError('store_unavailable', 'A worker process ended before it was ready.'),
    );
    this.#calls.rejectAll(this.#killedAs ?? 'died');
    this.#options.onExit(this.#isStopped || wasKilledByOthers ? 'asked' : 'failed');
  }
}

/** For short-lived objects, in MB; left alone, V8 takes four times as much and a worker 10 MB more. */
const YOUNG_GENERATION = '--max-semi-space-size=4';
