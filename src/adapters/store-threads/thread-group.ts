import type { ThreadRequest } from './messages.js';
import type { GroupCall, StoreThread, StoreThreadOptions, ThreadCall } from './store-thread.js';
import { ended, stopping, stuck, tooMany } from './thread-errors.js';

export interface ThreadGroupOptions {
  /** Maximum number of threads. */
  readonly size: number;
  /**
   * So many calls are sent to a thread before it has answered one; default 1, so that none has to wait behind one that gets
   * stuck.
   */
  readonly callsPerThread?: number;
  /** Maximum number of calls that wait for a thread. */
  readonly maxWaiting: number;
  /** After so long in one statement a thread is replaced; absent: never. */
  readonly statementLimitMs?: number;
  /**
   * What becomes of the unfinished calls of a thread that ended. `retry`, for calls that change nothing:
   * they are made once more.
   */
  readonly onThreadEnd: 'retry' | 'reject';
  readonly startThread: (hooks: Pick<StoreThreadOptions, 'onFree' | 'onEnd'>) => StoreThread;
}

/** Threads that serve the same calls, started when needed, and replaced when they end or get stuck. */
export class ThreadGroup {
  readonly #options: ThreadGroupOptions;
  readonly #threads: (StoreThread | undefined)[];
  readonly #waiting: WaitingCall[] = [];
  /** Threads that were given up and still run. */
  #lost = 0;
  #watch: NodeJS.Timeout | undefined;
  #drained: (() => void) | undefined;
  #isClosed = false;

  constructor(options: ThreadGroupOptions) {
    this.#options = options;
    this.#threads = Array.from({ length: options.size });
  }

  /** Calls that wait for a thread. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Calls that wait or are being made. */
  get calls(): number {
    return this.#threads.reduce((sum, thread) => sum + (thread?.calls ?? 0), this.waiting);
  }

  /** @throws KnowledgeError `overloaded` when too many calls are waiting, and for a call that got stuck */
  run(call: GroupCall): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(stopping());
    if (this.#waiting.length >= this.#options.maxWaiting) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...call, resolve, reject, attempts: 0 });
      this.#dispatch();
    });
  }

  /** Sends a request to every thread that runs, past the queue. */
  async toAll(request: ThreadRequest): Promise<void> {
    const running = this.#threads.filter((thread) => thread !== undefined);
    await Promise.all(
      running.map(
        (thread) => new Promise((resolve) => thread.send({ request, resolve, reject: resolve })),
      ),
    );
  }

  stopWaiting(): void {
    for (const thread of this.#threads) thread?.stopWaiting();
  }

  /** Refuses what waits, waits for what was begun, and ends the threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#waiting.splice(0)) call.reject(stopping());
    if (this.#hasCalls()) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    await this.toAll({ kind: 'close' });
    await Promise.all(this.#threads.map((thread) => thread?.terminate()));
    clearInterval(this.#watch);
  }

  #dispatch(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const slot = this.#freeSlot(next.preference ?? 0);
      if (slot === undefined) break;
      this.#waiting.shift();
      this.#sendTo(slot, next);
    }
    this.#updateWatch();
  }

  /** A slot that can take a call, the preferred one first. */
  #freeSlot(preference: number): number | undefined {
    const { size, callsPerThread = 1 } = this.#options;
    const slots = Array.from({ length: size }, (_, i) => (preference + i) % size);
    return slots.find((slot) => (this.#threads[slot]?.active ?? 0) < callsPerThread);
  }

  #sendTo(slot: number, call: WaitingCall): void {
    const running = this.#threads[slot];
    if (running === undefined && this.#lost >= LOST_THREADS_MAX) {
      call.reject(stuck());
      return;
    }
    const thread = running ?? this.#start(slot);
    const { request, ask, transfer = [], attempts } = call;
    const again = { ...call, attempts: attempts + 1 };
    const { resolve, reject } = call;
    const sent: SentCall = { request, resolve, reject, again, ...(ask && { ask }) };
    // What is handed over cannot be sent once more.
    thread.send(sent, this.#options.onThreadEnd === 'reject' ? transfer : []);
  }

  #start(slot: number): StoreThread {
    const thread = this.#options.startThread({
      onFree: () => this.#freed(),
      onEnd: (unanswered, reason) => this.#ended(thread, unanswered, reason),
    });
    this.#threads[slot] = thread;
    return thread;
  }

  #freed(): void {
    this.#dispatch();
    if (!this.#hasCalls()) this.#drained?.();
  }

  #ended(thread: StoreThread, unanswered: readonly ThreadCall[], reason: Error): void {
    const slot = this.#threads.indexOf(thread);
    if (slot >= 0) this.#threads[slot] = undefined;
    for (const call of unanswered) this.#answerFor(call as SentCall, reason);
    this.#freed();
  }

  /** A call that is made again comes first; one that ended two threads is refused. */
  #answerFor({ again, reject }: SentCall, reason: Error): void {
    const mayRepeat = this.#options.onThreadEnd === 'retry' && !this.#isClosed;
    if (mayRepeat && again !== undefined && again.attempts < ATTEMPTS_MAX) {
      this.#waiting.unshift(again);
    } else reject(ended(reason));
  }

  #hasCalls(): boolean {
    return this.#threads.some((thread) => (thread?.calls ?? 0) > 0);
  }

  /** Looks for stuck threads only while there are calls. */
  #updateWatch(): void {
    const { statementLimitMs } = this.#options;
    if (statementLimitMs === undefined) return;
    if (!this.#hasCalls()) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else {
      this.#watch ??= setInterval(
        () => this.#replaceStuck(statementLimitMs),
        statementLimitMs / 10,
      );
    }
  }

  #replaceStuck(limitMs: number): void {
    for (const thread of this.#threads) {
      const culprit = thread?.stuckCall(limitMs);
      if (thread === undefined || culprit === undefined) continue;
      (culprit as SentCall).again = undefined;
      culprit.reject(stuck());
      this.#lost += 1;
      void thread.abandon(new Error('it was stuck in one statement')).then(() => {
        this.#lost -= 1;
      });
    }
    this.#updateWatch();
  }
}

interface WaitingCall extends GroupCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** How many threads have had it. */
  readonly attempts: number;
}

interface SentCall extends ThreadCall {
  /** Undefined where it must not be made again. */
  again: WaitingCall | undefined;
}

const ATTEMPTS_MAX = 2;
/** Threads that are stuck and cannot be ended; with more, no new ones are started for a while. */
const LOST_THREADS_MAX = 4;
