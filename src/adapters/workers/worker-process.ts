import { type ChildProcess, fork } from 'node:child_process';
import { type CallOptions, Channel, type Handlers, type Message } from './channel.js';
import { CurrentWork, rssBytesOf } from './current-work.js';
import {
  BEGUN,
  type HostMethods,
  isRead,
  LATE_MS,
  monotonicMs,
  type ServiceCall,
  TICK_MS,
  type WorkerMethods,
  type WorkerRole,
  type WorkerStart,
} from './protocol.js';
import type { RoutedCall } from './routing.js';
import { type Unanswered, UnansweredError } from './unanswered.js';

interface WorkerProcessOptions {
  /** The compiled entry point. */
  readonly file: URL;
  readonly start: WorkerStart;
  /** Limit of its heap, in MB. */
  readonly heapMb: number;
  readonly handlers: Handlers<Omit<HostMethods, 'beat'>>;
  /** Called once, after every unanswered call has been rejected. */
  readonly onExit: (end: WorkerEnd) => void;
}

export interface WorkerEnd {
  /** Whether it crashed, was stuck or too large; false if it was stopped by the service, or killed by another program. */
  readonly isFault: boolean;
  /** The project that it worked on last. */
  readonly project: string | undefined;
}

/** A call that was given to a worker and not answered. */
interface GivenCall extends RoutedCall {
  /** By `monotonicMs`. */
  readonly sentAt: number;
  hasBegun: boolean;
  readonly reject: (error: Error) => void;
}

/** One worker process and the calls that it has not answered yet. */
export class WorkerProcess {
  readonly role: WorkerRole;
  readonly startedAt = monotonicMs();
  /** Resolves when it can take calls; rejects if it ends before. */
  readonly ready: Promise<void>;
  readonly channel: Channel<WorkerMethods, HostMethods>;
  readonly #options: WorkerProcessOptions;
  readonly #child: ChildProcess;
  readonly #work = new CurrentWork();
  readonly #calls = new Set<GivenCall>();
  #state: 'starting' | 'ready' | 'ending' | 'ended' = 'starting';
  #silentTicks = 0;
  #killedAs: Unanswered | undefined;
  #reportedBytes = 0;

  constructor(options: WorkerProcessOptions) {
    this.#options = options;
    this.role = options.start.role;
    this.#child = fork(options.file, [], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${options.heapMb}`, YOUNG_GENERATION, '--expose-gc'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', this.#work.file],
    });
    this.channel = new Channel<WorkerMethods, HostMethods>((message) => this.#send(message), {
      ...options.handlers,
      beat: (_, rssBytes) => {
        this.#reportedBytes = rssBytes;
      },
    });
    this.#child.on('message', (message: Message) => {
      this.#silentTicks = 0;
      this.channel.receive(message);
    });
    this.#child.on('error', () => this.#child.pid === undefined && this.#exited(null));
    this.#child.on('exit', (_, signal) => this.#exited(signal));
    this.ready = this.channel.call('start', [options.start]).then(() => {
      if (this.#state === 'starting') this.#state = 'ready';
    });
  }

  get processId(): number {
    return this.#child.pid ?? 0;
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  get isStarting(): boolean {
    return this.#state === 'starting';
  }

  /** The calls that it has not answered. */
  get calls(): ReadonlySet<GivenCall> {
    return this.#calls;
  }

  /** Counts the time without a sign of life; time in which this process itself stood still counts once. */
  tick(): void {
    this.#silentTicks += 1;
  }

  get silentMs(): number {
    return this.#silentTicks * TICK_MS;
  }

  /** Whether it could take calls but has given no sign of life lately. */
  get isSilent(): boolean {
    return this.isReady && this.silentMs > SILENT_MS;
  }

  /** Memory that it uses; where the system does not tell, as it has reported itself. */
  rssBytes(): number {
    return rssBytesOf(this.processId) ?? this.#reportedBytes;
  }

  /** The project that it worked on last. */
  currentWork(): string | undefined {
    return this.#work.read();
  }

  /** @throws UnansweredError, or what the call itself throws */
  run(call: ServiceCall, options: CallOptions = {}): Promise<unknown> {
    const sentAt = monotonicMs();
    return new Promise((resolve, reject) => {
      const [project, { kind }] = [String(call.args[0]), call];
      const given: GivenCall = { project, kind, sentAt, hasBegun: false, reject };
      this.#calls.add(given);
      this.channel
        .call('run', [call, sentAt], isRead(call) ? options : noting(given, options))
        .finally(() => this.#calls.delete(given))
        .then(resolve, reject);
    });
  }

  /** Rejects what it has of other projects than the one that it is stuck in: reads, and writes that it will refuse as late. */
  takeBackOthers(pathOf: (project: string) => string): void {
    const stuckIn = this.currentWork();
    for (const call of this.#calls) {
      const isUnread = !call.hasBegun && monotonicMs() - call.sentAt > LATE_MS + TICK_MS;
      if (pathOf(call.project) === stuckIn || !(isRead(call) || isUnread)) continue;
      this.#calls.delete(call);
      call.reject(new UnansweredError('taken'));
    }
  }

  kill(why: Unanswered): void {
    this.#killedAs = why;
    this.#state = 'ending';
    this.#child.kill('SIGKILL');
  }

  /** Asks it to end, and kills it after a while; resolves when it has ended. */
  async stop(timeoutMs: number): Promise<void> {
    if (this.#state === 'ended') return;
    const exited = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    this.#state = 'ending';
    this.channel.tell('stop');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), timeoutMs);
    await exited;
    clearTimeout(timer);
  }

  #send(message: Message): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #exited(signal: NodeJS.Signals | null): void {
    const wasKilledByOthers = this.#killedAs === undefined && signal === 'SIGKILL';
    const wasStopped = this.#killedAs === undefined && this.#state === 'ending';
    const project = this.#work.read();
    this.#work.close();
    this.#state = 'ended';
    this.channel.close(new UnansweredError(this.#killedAs ?? 'died'));
    this.#options.onExit({ isFault: !wasStopped && !wasKilledByOthers, project });
  }
}

/** Notes that a call was begun, which its worker says before anything else. */
function noting(given: GivenCall, options: CallOptions): CallOptions {
  const onProgress = (value: unknown) => {
    if (given.hasBegun) options.onProgress?.(value);
    given.hasBegun ||= value === BEGUN;
  };
  return { ...options, onProgress };
}

/** For short-lived objects, in MB; left alone, V8 takes four times as much and a worker 10 MB more. */
const YOUNG_GENERATION = '--max-semi-space-size=4';

/** A worker without a sign of life for so long gets no calls. */
const SILENT_MS = 500;
