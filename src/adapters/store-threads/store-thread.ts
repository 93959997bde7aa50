import { Worker } from 'node:worker_threads';
import { THREAD_YOUNG_MB } from '../../domain/limits.js';
import type { Logger } from '../../ports/driven/logger.js';
import type {
  MessageFromThread,
  MessageToThread,
  ThreadRequest,
  ThreadRole,
  ThreadStart,
} from './messages.js';
import { fromPlainError } from './plain-error.js';
import { WatchCell } from './watch-cell.js';

/** A request, and who waits for its result. */
export interface ThreadCall {
  readonly request: ThreadRequest;
  /** The function among the arguments of the call. */
  readonly ask?: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A call as the group is asked for it. */
export interface GroupCall {
  readonly request: ThreadRequest;
  readonly ask?: () => Promise<unknown>;
  readonly transfer?: readonly ArrayBuffer[];
  /** Calls with the same number prefer the same thread. */
  readonly preference?: number;
}

export interface StoreThreadOptions {
  /** The compiled entry point. */
  readonly workerFile: URL;
  readonly role: ThreadRole;
  readonly settings: unknown;
  readonly now: () => number;
  readonly logger: Logger;
  readonly stopWaiting: AbortSignal;
  /** Called when the thread can take another call. */
  readonly onFree: () => void;
  /** Called once when the thread has ended, with the calls that it has not answered. */
  readonly onEnd: (unanswered: readonly ThreadCall[], reason: Error) => void;
}

/** A worker thread that serves stores; keeps the process alive while it has calls. */
export class StoreThread {
  readonly #worker: Worker;
  readonly #options: StoreThreadOptions;
  readonly #cell = new WatchCell();
  readonly #calls = new Map<number, OpenCall>();
  #lastId = 0;
  #active = 0;
  #hasEnded = false;
  /** The piece of work that the last look found, and when it was seen first. */
  #seen: { readonly piece: number; readonly since: number } | undefined;

  constructor(options: StoreThreadOptions) {
    this.#options = options;
    const { role, settings, workerFile, stopWaiting } = options;
    const workerData: ThreadStart = { role, settings, watch: this.#cell.buffer };
    this.#worker = new Worker(workerFile, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: THREAD_YOUNG_MB },
    });
    this.#worker.on('message', (message: MessageFromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('a thread of the store ended unexpectedly')));
    this.#worker.unref();
    if (stopWaiting.aborted) this.#send({ kind: 'stopWaiting' });
  }

  /** Calls that keep the thread busy; those that wait for something do not count. */
  get active(): number {
    return this.#active;
  }

  get calls(): number {
    return this.#calls.size;
  }

  send(call: ThreadCall, transfer: readonly ArrayBuffer[] = []): void {
    this.#lastId += 1;
    const id = this.#lastId;
    const now = this.#options.now();
    this.#worker.postMessage({ kind: 'request', id, request: call.request, now }, [...transfer]);
    const open: OpenCall = Object.assign(call, { isActive: true });
    this.#calls.set(id, open);
    this.#active += 1;
    this.#worker.ref();
  }

  stopWaiting(): void {
    this.#send({ kind: 'stopWaiting' });
  }

  /**
   * The call whose work has not come to an end for so long, if there is one. Work that belongs to no
   * call is put down to the oldest.
   */
  stuckCall(limitMs: number): ThreadCall | undefined {
    const work = this.#cell.read();
    if (work === undefined) {
      this.#seen = undefined;
      return undefined;
    }
    const now = performance.now();
    if (this.#seen?.piece !== work.piece) this.#seen = { piece: work.piece, since: now };
    if (now - this.#seen.since < limitMs) return undefined;
    const [oldest] = this.#calls.values();
    return this.#calls.get(work.requestId) ?? oldest;
  }

  /** Gives the thread up, which answers nothing any more; resolves when its work allows it to end. */
  async abandon(reason: Error): Promise<void> {
    this.#end(reason);
    await this.#worker.terminate();
  }

  /** Resolves when the thread has ended. */
  async terminate(): Promise<void> {
    this.#hasEnded = true;
    await this.#worker.terminate();
  }

  #receive(message: MessageFromThread): void {
    const call = message.kind === 'log' ? undefined : this.#calls.get(message.id);
    if (message.kind === 'log') this.#log(message);
    else if (call === undefined) return;
    else if (message.kind === 'waiting') this.#free(call);
    else if (message.kind === 'part') this.#keepPart(message, call);
    else if (message.kind === 'asked') void this.#ask(message.id, call);
    else this.#settle(message, call);
  }

  #keepPart({ id, values }: Part, call: OpenCall): void {
    call.parts = (call.parts ?? []).concat(values);
    this.#send({ kind: 'next', id });
  }

  #settle(message: Settlement, call: OpenCall): void {
    this.#calls.delete(message.id);
    if (this.#calls.size === 0) this.#worker.unref();
    const { parts } = call;
    if (message.kind === 'result')
      call.resolve(parts ? parts.concat(message.value) : message.value);
    else call.reject(call.failure?.error ?? fromPlainError(message.error));
    this.#free(call);
  }

  async #ask(id: number, call: OpenCall): Promise<void> {
    try {
      const value = await call.ask?.();
      this.#send({ kind: 'answer', id, value, now: this.#options.now() });
    } catch (error) {
      call.failure = { error };
      this.#send({ kind: 'refusal', id, now: this.#options.now() });
    }
  }

  #log({ level, message, fields }: MessageFromThread & { readonly kind: 'log' }): void {
    this.#options.logger[level](message, fields as Readonly<Record<string, unknown>>);
  }

  #free(call: OpenCall): void {
    if (call.isActive) this.#active -= 1;
    call.isActive = false;
    this.#options.onFree();
  }

  #end(reason: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const unanswered = [...this.#calls.values()];
    this.#calls.clear();
    this.#options.onEnd(unanswered, reason);
  }

  #send(message: MessageToThread): void {
    this.#worker.postMessage(message);
  }
}

type Part = Extract<MessageFromThread, { readonly kind: 'part' }>;

type Settlement = Extract<MessageFromThread, { readonly kind: 'result' | 'failed' }>;

interface OpenCall extends ThreadCall {
  isActive: boolean;
  /** What has arrived of a long list. */
  parts?: readonly unknown[];
  /** What the function of the caller has thrown, which the caller gets back as it is. */
  failure?: { readonly error: unknown };
}
