import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inBatches, type Prepared } from '../../../src/app/ingestion/in-batches.js';

const LIMITS = { maxItems: 2, maxSize: 10 };

it('returns the results in the order of the items, whichever is finished first', async () => {
  const delays = [3, 1, 2, 0, 1];
  const results = await inBatches(
    delays,
    async (delay) => ({ size: 1, finish: () => after(delay) }),
    LIMITS,
  );
  expect(results).toEqual(delays);
  expect(await inBatches([], async () => prepared('never'), LIMITS)).toEqual([]);
});

it('prepares one item at a time, and finishes those of a batch at the same time', async () => {
  const events: string[] = [];
  await inBatches(
    ['a', 'b', 'c'],
    async (item) => {
      events.push(`prepares ${item}`);
      await setImmediate();
      events.push(`prepared ${item}`);
      return { size: 1, finish: () => finishing(item, events) };
    },
    LIMITS,
  );
  expect(events.slice(0, 4)).toEqual(['prepares a', 'prepared a', 'prepares b', 'prepared b']);
  expect(events.indexOf('begins b')).toBeLessThan(events.indexOf('finished a'));
  expect(events.at(-1)).toBe('finished c');
});

it('ends a batch with the item that makes it large', async () => {
  const begun: string[] = [];
  const preparedBefore: string[] = [];
  await inBatches(
    ['large', 'next'],
    async (item) => {
      if (item === 'next') preparedBefore.push(...begun);
      return {
        size: 10,
        finish: async () => {
          begun.push(item);
        },
      };
    },
    { maxItems: 9, maxSize: 10 },
  );
  expect(preparedBefore).toEqual(['large']);
  expect(begun).toEqual(['large', 'next']);
});

it('fails as an item does, after it has waited for what was begun', async () => {
  const finished: string[] = [];
  const finish = (item: string) => async () => {
    await setImmediate();
    if (item === 'bad') throw new Error('a bug');
    finished.push(item);
  };
  const ingestion = inBatches(
    ['bad', 'good', 'never', 'never'],
    async (item) => ({ size: 1, finish: finish(item) }),
    LIMITS,
  );
  await expect(ingestion).rejects.toThrow('a bug');
  expect(finished).toEqual(['good']);

  const unprepared = inBatches(
    ['a', 'b', 'c'],
    async (item) => {
      if (item === 'c') throw new Error('unreadable');
      return { size: 1, finish: finish(item) };
    },
    LIMITS,
  );
  await expect(unprepared).rejects.toThrow('unreadable');
  expect(finished).toEqual(['good', 'a', 'b']);
});

function prepared<T>(result: T): Prepared<T> {
  return { size: 1, finish: async () => result };
}

async function after(turns: number): Promise<number> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  return turns;
}

async function finishing(item: string, events: string[]): Promise<void> {
  events.push(`begins ${item}`);
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  events.push(`finished ${item}`);
}
