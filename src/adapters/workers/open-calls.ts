import type { ServiceCall } from './messages.js';

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

  get(id: number): OpenCall | undefined {
    return this.#calls.get(id);
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

  resolve(id: number, value: unknown): void {
    this.#take(id)?.resolve(value);
  }

  reject(id: number, error: unknown): void {
    this.#take(id)?.reject(error);
  }

  rejectAll(why: Unanswered): void {
    for (const id of [...this.#calls.keys()]) this.reject(id, new UnansweredError(why));
  }

  #take(id: number): OpenCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }
}
