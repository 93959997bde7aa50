import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { inBatches } from '../../../src/shared/in-batches.js';

const LIMITS = { maxItems: 2, maxSize: 10 };

let events: string[];

beforeEach(() => {
  events = [];
});

/** Items are named by what becomes of them. */
const BATCHES = {
  async prepare(item: string) {
    await setImmediate();
    if (item === 'unreadable') throw new Error(item);
    return item;
  },
  sizeOf: (item: string) => (item === 'large' ? 10 : 1),
  async write(items: readonly string[]) {
    await setImmediate();
    if (items.includes('bad')) throw new Error('bad');
    events.push(items.join(' '));
    return items;
  },
};

it('writes batches one after the other, and keeps the order of the items', async () => {
  const items = ['a', 'b', 'c', 'd', 'e'];
  expect(await inBatches(items, BATCHES, LIMITS)).toEqual(items);
  expect(events).toEqual(['a b', 'c d', 'e']);
  expect(await inBatches([], BATCHES, LIMITS)).toEqual([]);
});

it('ends a batch with the item that makes it large', async () => {
  await inBatches(['small', 'large', 'next'], BATCHES, { maxItems: 9, maxSize: 10 });
  expect(events).toEqual(['small large', 'next']);
});

it.each(['bad', 'unreadable'])(
  'fails with an item that is %s, and begins nothing more',
  async (item) => {
    const failing = inBatches(['a', 'b', item, 'd', 'e', 'f'], BATCHES, LIMITS);
    await expect(failing).rejects.toThrow(item);
    expect(events).toEqual(['a b']);
  },
);
