import { generator } from '../quality/statistics.js';

/** Choices that a seed repeats. */
export class Random {
  /** From 0, below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = generator(seed);
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
