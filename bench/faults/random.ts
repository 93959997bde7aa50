/** Numbers that a seed repeats (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0, below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error('There is nothing to pick from.');
    return value;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }
}
