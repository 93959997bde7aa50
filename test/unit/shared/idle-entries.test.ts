import { expect, it } from 'vitest';
import { IdleEntries } from '../../../src/shared/idle-entries.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

function scene(most?: number) {
  const clock = new FixedClock();
  const given: string[] = [];
  const inUse = new Set<string>();
  const giveUp = (entry: string) => given.push(entry) > 0 && !inUse.has(entry);
  const entries = new IdleEntries<string>({
    clock,
    idleMs: 10,
    evict: giveUp,
    ...(most && { most }),
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  return { clock, given, inUse, entries, pass };
}

it('evicts idle entries, and those in use only later', async () => {
  const { clock, given, inUse, entries, pass } = scene();
  for (const name of ['a', 'b']) entries.use(name);
  await pass(5);
  entries.use('a');
  await pass(4);
  expect(given).toEqual([]);
  inUse.add('b');
  await pass(1);
  expect(given).toEqual(['b']);
  inUse.delete('b');
  await pass(5);
  expect(given).toEqual(['b', 'a']);
  await pass(5);
  expect(given).toEqual(['b', 'a', 'b']);
  expect(clock.sleepers).toBe(0);
});

it('evicts the least recently used of too many', async () => {
  const { given, entries } = scene(2);
  for (const name of ['a', 'b', 'a', 'c', 'd']) entries.use(name);
  entries.forget('c');
  entries.evictSurplus();
  expect(given).toEqual(['b']);
  const any = scene();
  any.entries.use('a');
  any.entries.evictSurplus();
  expect(any.given).toEqual([]);
});

it('evicts nothing once it is stopped', async () => {
  const { clock, given, entries, pass } = scene();
  entries.use('a');
  entries.stop();
  entries.use('b');
  await pass(20);
  expect([given, clock.sleepers]).toEqual([[], 0]);
});
