import type { FromWorker, Result, ServiceCall } from './messages.js';
import { unwrapped } from './plain-error.js';

/** Why a call was not answered by the worker that had it. */
export type Unanswered = 'died' | 'stuck' | 'late' | 'takenBack';

export class UnansweredError extends Error {
  readonly why: Unanswered;

  constructor(why: Unanswered) {
    super(`A worker did not answer a call: ${why}.`);
    this.why = why;
  }
}

export interface RunOptions {
  readonly onProgress?: ((value: unknown) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A call that was sent to a worker and not answered. */
export interface OpenCall {
  readonly id: number;
  readonly project: string;
  readonly kind: ServiceCall['kind'];
  readonly options: RunOptions;
  /** On the clock of the pool. */
  readonly sentAt: number;
  hasBegun: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The calls that a worker has not answered yet, by their numbers. */
export class OpenCalls {
  readonly #calls = new Map<number, OpenCall>();
  #lastId = 0;

  get size(): number {
    return this.#calls.size;
  }

  all(): readonly OpenCall[] {
    return [...this.#calls.values()];
  }

  add(call: Pick<OpenCall, 'project' | 'kind' | 'options' | 'sentAt'>): {
    readonly id: number;
    readonly result: Promise<unknown>;
  } {
    this.#lastId += 1;
    const id = this.#lastId;
    const result = new Promise((resolve, reject) => {
      this.#calls.set(id, { ...call, id, hasBegun: false, resolve, reject });
    });
    return { id, result };
  }

  /** Takes note of what a worker says of a call; returns false for other messages. */
  receive(message: FromWorker): boolean {
    if (message.kind === 'result') this.#answered(message.id, message.result);
    else if (message.kind === 'late') this.reject(message.id, new UnansweredError('late'));
    else if (message.kind === 'begun') this.#begun(message.id);
    else if (message.kind === 'progress')
      this.#calls.get(message.id)?.options.onProgress?.(message.value);
    else return false;
    return true;
  }

  reject(id: number, error: unknown): void {
    this.#take(id)?.reject(error);
  }

  rejectAll(why: Unanswered): void {
    for (const id of [...this.#calls.keys()]) this.reject(id, new UnansweredError(why));
  }

  #answered(id: number, result: Result): void {
    const call = this.#take(id);
    try {
      call?.resolve(unwrapped(result));
    } catch (error) {
      call?.reject(error);
    }
  }

  #begun(id: number): void {
    const call = this.#calls.get(id);
    if (call !== undefined) call.hasBegun = true;
  }

  #take(id: number): OpenCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }
}
