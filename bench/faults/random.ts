import { generator } from '../quality/statistics.js';

/** Random choices that a seed reproduces. */
export class Random {
  /** A number from 0 to below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = generator(seed);
  }

  /** An integer from 0 to below `limit`. */
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
