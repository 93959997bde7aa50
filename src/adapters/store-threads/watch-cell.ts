/** Runs a piece of work that cannot be interrupted. */
export type Watched = <T>(work: () => T) => T;

/**
 * Tells the main thread what a thread is doing, even while it is stuck in one statement: the number of
 * the request that it works on, and how many pieces of work it has begun.
 */
export class WatchCell {
  readonly buffer: SharedArrayBuffer;
  readonly #values: Int32Array;

  constructor(buffer = new SharedArrayBuffer(8)) {
    this.buffer = buffer;
    this.#values = new Int32Array(buffer);
  }

  /** Runs a piece of work that cannot be interrupted. */
  during<T>(requestId: number, work: () => T): T {
    Atomics.add(this.#values, PIECES, 1);
    Atomics.store(this.#values, REQUEST, requestId);
    try {
      return work();
    } finally {
      Atomics.store(this.#values, REQUEST, NOTHING);
    }
  }

  /** Undefined while the thread is between two pieces. */
  read(): { readonly requestId: number; readonly piece: number } | undefined {
    const requestId = Atomics.load(this.#values, REQUEST);
    if (requestId === NOTHING) return undefined;
    return { requestId, piece: Atomics.load(this.#values, PIECES) };
  }
}

const [REQUEST, PIECES] = [0, 1];
const NOTHING = 0;
