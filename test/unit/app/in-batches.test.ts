import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { inBatches } from '../../../src/app/ingestion/in-batches.js';

const LIMITS = { maxItems: 2, maxSize: 10 };

let events: string[];

beforeEach(() => {
  events = [];
});

/** Items are named by what becomes of them; a number says how many turns of the event loop it takes. */
async function prepare(item: string) {
  events.push(`prepares ${item}`);
  await setImmediate();
  if (item === 'unreadable') throw new Error(item);
  events.push(`prepared ${item}`);
  return { size: item === 'large' ? 10 : 1, finish: () => finish(item) };
}

async function finish(item: string): Promise<string> {
  events.push(`begins ${item}`);
  for (let turn = 0; turn < (Number.parseInt(item, 10) || 1); turn += 1) await setImmediate();
  if (item === 'bad') throw new Error(item);
  events.push(`finished ${item}`);
  return item;
}

it('prepares one item at a time, finishes those of a batch together, and keeps their order', async () => {
  const items = ['3 a', '1 b', '2 c', '0 d', '1 e'];
  expect(await inBatches(items, prepare, LIMITS)).toEqual(items);
  const [a, b] = ['3 a', '1 b'];
  expect(events.slice(0, 6)).toEqual([
    ...[`prepares ${a}`, `prepared ${a}`, `prepares ${b}`, `prepared ${b}`],
    ...[`begins ${a}`, `begins ${b}`],
  ]);
  expect(events.slice(6, 8)).toEqual([`finished ${b}`, `finished ${a}`]);
  expect(events.at(-1)).toBe('finished 1 e');
  expect(await inBatches([], prepare, LIMITS)).toEqual([]);
});

it('ends a batch with the item that makes it large', async () => {
  await inBatches(['large', 'next'], prepare, { maxItems: 9, maxSize: 10 });
  expect(events.indexOf('finished large')).toBeLessThan(events.indexOf('prepares next'));
});

it('fails as an item does, after it has waited for what was begun', async () => {
  const failing = inBatches(['bad', '3 good', 'never', 'never'], prepare, LIMITS);
  await expect(failing).rejects.toThrow('bad');
  expect(events.at(-1)).toBe('finished 3 good');
  events = [];
  const unprepared = inBatches(['a', 'b', 'unreadable'], prepare, LIMITS);
  await expect(unprepared).rejects.toThrow('unreadable');
  expect(events.filter((event) => event.startsWith('finished'))).toHaveLength(2);
});
