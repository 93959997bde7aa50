import { expect, test } from 'vitest';
import { onFirstCall } from '../../../src/shared/on-first-call.js';

class Counter {
  readonly #step = 2;
  #count = 0;

  async add(times: number): Promise<number> {
    this.#count += this.#step * times;
    return this.#count;
  }

  async reset?(): Promise<void>;
}

test('loads once, with the first call, and keeps the object', async () => {
  let loads = 0;
  const counter = onFirstCall(['add', 'reset'], async () => {
    loads += 1;
    return new Counter();
  });
  expect(loads).toBe(0);
  expect(await Promise.all([counter.add(1), counter.add(2)])).toEqual([2, 6]);
  expect(loads).toBe(1);
});

test('does nothing where the object leaves a method out', async () => {
  const counter = onFirstCall(['reset'], async () => new Counter());
  expect(await counter.reset?.()).toBeUndefined();
});

test('rejects where the module cannot be loaded', async () => {
  const counter = onFirstCall(['add'], async (): Promise<Counter> => {
    throw new Error('not there');
  });
  await expect(counter.add(1)).rejects.toThrow('not there');
});
