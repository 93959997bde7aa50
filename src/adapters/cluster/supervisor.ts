import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../ports/logger.js';
import { type BackoffOptions, backoffMs } from '../../shared/backoff.js';
import { HEARTBEAT_MS, type WorkerMessage } from './messages.js';
import { closeOffered, kill, type Port, type SupervisedWorker, send } from './supervised-worker.js';
import { type SharedServices, WorkerLink } from './worker-link.js';

interface SupervisorOptions extends SharedServices {
  /** The entry point of a worker: calls `joinPrimary`, and listens, or serves the connections that it is given. */
  readonly file: URL;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workers: number;
  /** Memory in MB beyond which a worker is replaced. */
  readonly maxMb: number;
  readonly logger: Logger;
}

/** Runs workers, and replaces those that exit, hang or grow too large. One per process, in the primary. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #workers = new Set<SupervisedWorker>();
  #onStart: ((url: string | Error) => void) | undefined;
  #url: string | undefined;
  #failuresInARow = 0;
  /** Connections that came while no worker was ready. */
  readonly #waiting: Socket[] = [];
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the address of the service once all workers listen.
   * @throws Error with the reason of the first worker that cannot start
   */
  async start(): Promise<string> {
    const { file, workers, maxMb } = this.#options;
    // With round robin, a connection handed to a hanging worker stays open after the worker has exited.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({
      exec: fileURLToPath(file),
      args: [],
      execArgv: [`--max-old-space-size=${maxMb}`, YOUNG_GENERATION],
      serialization: 'advanced',
    });
    for (let count = 0; count < workers; count += 1) this.#fork();
    // Heartbeats that have already arrived are read before the check.
    setInterval(() => setImmediate(() => this.#look()), HEARTBEAT_MS).unref();
    const started = await new Promise<string | Error>((resolve) => {
      this.#onStart = resolve;
    });
    this.#onStart = undefined;
    if (started instanceof Error) throw started;
    return started;
  }

  /** Hands an unread connection to a ready worker, and keeps it open in case the worker dies before taking it. */
  accept(connection: Socket): void {
    const worker = [...this.#workers].find((one) => one.isReady && one.process.isConnected());
    connection.on('error', () => undefined);
    if (worker === undefined) return void this.#waiting.push(connection);
    worker.isBusy = true;
    worker.offered.add(connection);
    worker.process.send({ kind: 'connection' }, connection, { keepOpen: true }, () => undefined);
  }

  /** Whether a worker has clients or work. */
  get isBusy(): boolean {
    return [...this.#workers].some((worker) => worker.isBusy);
  }

  /** Stops all workers, and resolves when they have exited. Kills those that are not ready or take too long. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const ended = [...this.#workers].map(({ process }) => once(process, 'exit'));
    for (const worker of this.#workers) {
      if (worker.isReady) send(worker.process, { kind: 'stop' });
      else kill(worker);
    }
    const timer = setTimeout(() => this.#workers.forEach(kill), STOP_TIMEOUT_MS);
    await Promise.all(ended);
    clearTimeout(timer);
  }

  #offerAgain({ offered }: SupervisedWorker): void {
    for (const connection of offered) this.accept(connection);
  }

  #fork(): void {
    const port = this.#port();
    const process = cluster.fork({ ...this.#options.env, ...port });
    const link = new WorkerLink(this.#options, (message) => send(process, message));
    const offered = new Set<Socket>();
    const state = { isReady: false, isBusy: true, missedHeartbeats: 0 };
    const worker = { process, link, port, offered, ...state };
    this.#workers.add(worker);
    process.on('message', (message: WorkerMessage) => this.#receive(worker, message));
    process.once('exit', (code, signal) => this.#ended(worker, signal ?? `exit code ${code}`));
    // `close` comes after the last message of the worker, so `offered` lists exactly the connections it never took.
    process.process.once('close', () => this.#offerAgain(worker));
    process.on('error', ({ message }) => {
      if (process.process.pid === undefined) this.#ended(worker, message);
    });
  }

  /**
   * Workers share a socket only if they ask for the same port, so a new worker asks for the port of one that listens.
   * If none listens, a port that the system chose is free again, so it is asked for by number.
   */
  #port(): Port {
    const listening = [...this.#workers].find(({ isReady }) => isReady);
    if (listening !== undefined) return listening.port;
    return this.#url === undefined ? {} : { PORT: new URL(this.#url).port };
  }

  #receive(worker: SupervisedWorker, message: WorkerMessage): void {
    worker.missedHeartbeats = 0;
    if (message.kind === 'ready') this.#ready(worker, message.url);
    else if (message.kind === 'failed') this.#failed(message.reason);
    else if (message.kind === 'taken') closeOffered(worker);
    else if (message.kind !== 'heartbeat') worker.link.receive(message);
    else this.#beat(worker, message);
  }

  #beat(worker: SupervisedWorker, message: WorkerMessage & { kind: 'heartbeat' }): void {
    worker.isBusy = message.isBusy;
    if (message.rssBytes <= this.#options.maxMb * 2 ** 20) worker.link.shareModelState();
    else this.#end(worker, 'too much memory');
  }

  #ready(worker: SupervisedWorker, url: string): void {
    this.#url ??= url;
    if (url !== this.#url) {
      this.#end(worker, 'it listens on another port');
      return;
    }
    this.#failuresInARow = 0;
    worker.isReady = true;
    for (const connection of this.#waiting.splice(0)) this.accept(connection);
    if ([...this.#workers].every(({ isReady }) => isReady)) this.#onStart?.(url);
  }

  #failed(reason: string): void {
    this.#onStart?.(new Error(reason));
    if (this.#onStart || this.#isStopping) return;
    this.#options.logger.error('A worker could not start and will be restarted.', { reason });
  }

  #look(): void {
    for (const worker of this.#workers) {
      worker.missedHeartbeats += 1;
      const silentMs = worker.missedHeartbeats * HEARTBEAT_MS;
      if (silentMs > (worker.isReady ? SILENT_MAX_MS : START_MAX_MS))
        this.#end(worker, 'no heartbeat');
    }
  }

  #end(worker: SupervisedWorker, reason: string): void {
    this.#options.logger.error('A worker is being stopped.', { reason });
    kill(worker);
  }

  #ended(worker: SupervisedWorker, how: string): void {
    this.#workers.delete(worker);
    worker.link.close();
    if (this.#isStopping) return;
    this.#onStart?.(new Error(`A worker exited during startup: ${how}.`));
    if (this.#onStart) return;
    this.#options.logger.warn('A worker exited and is being replaced.', { how });
    this.#failuresInARow += worker.isReady ? 0 : 1;
    const pauseMs = this.#failuresInARow > 0 ? backoffMs(BACKOFF, this.#failuresInARow) : 0;
    setTimeout(() => this.#isStopping || this.#fork(), pauseMs);
  }
}

const SILENT_MAX_MS = 10_000;
const START_MAX_MS = 30_000;
/** Less than the 10 seconds that the whole service may take to stop. */
const STOP_TIMEOUT_MS = 8_500;
const BACKOFF: BackoffOptions = { firstMs: 250, longestMs: 5_000 };
/** Memory for short-lived objects, in MB. V8's default is four times as much, and costs each worker 10 MB. */
const YOUNG_GENERATION = '--max-semi-space-size=4';
