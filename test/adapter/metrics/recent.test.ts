import { expect, test } from 'vitest';
import { recent } from '../../../src/adapters/metrics/recent.js';

test('a costly reading is taken once per interval, and only the first caller waits for it', async () => {
  let [now, readings] = [0, 0];
  let release: () => void = () => undefined;
  const read = recent(
    () => {
      readings += 1;
      const value = readings;
      return new Promise<number>((resolve) => {
        release = () => resolve(value);
      });
    },
    10,
    () => now,
  );
  const first = [read(), read()];
  release();
  expect(await Promise.all(first)).toEqual([1, 1]);
  now = 9;
  expect(await read()).toBe(1);
  now = 10;
  expect(await read()).toBe(1);
  expect(readings).toBe(2);
  release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await read()).toBe(2);
});

test('a reading that fails keeps the last value, and is tried again', async () => {
  const replies = [() => 1, () => raise(), () => 2];
  const read = recent(
    async () => replies.shift()?.(),
    0,
    () => 0,
  );
  expect([await read(), await read()]).toEqual([1, 1]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await read()).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(replies).toEqual([]);
});

function raise(): never {
  throw new Error('no store');
}
