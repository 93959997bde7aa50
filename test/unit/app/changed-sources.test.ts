import { expect, it } from 'vitest';
import { ChangedSources } from '../../../src/app/freshness/changed-sources.js';
import { CHANGED_PATHS_MAX } from '../../../src/domain/limits.js';

it('gives paths away once nothing has changed for 200 ms', () => {
  const changes = new ChangedSources();
  changes.add(['a.md'], 0);
  changes.add(['b.md', 'a.md'], 150);
  expect(changes.take(200)).toEqual({ waitMs: 150 });
  expect(changes.take(350)).toEqual({ paths: ['a.md', 'b.md'] });
  expect(changes.isEmpty()).toBe(true);
});

it('gives away after a second, where changes go on, what has been quiet itself', () => {
  const changes = new ChangedSources();
  changes.add(['quiet.md'], 0);
  for (let now = 100; now <= 1000; now += 100) changes.add(['busy.md'], now);
  expect(changes.take(1000)).toEqual({ paths: ['quiet.md'] });
  expect(changes.take(1000)).toEqual({ waitMs: 200 });
  expect(changes.take(1200)).toEqual({ paths: ['busy.md'] });
});

it('means everything where any source may have changed, or too many have', () => {
  const changes = new ChangedSources();
  changes.add(['a.md'], 0);
  changes.add(undefined, 0);
  expect(changes.take(200)).toEqual({ paths: undefined });
  const many = Array.from({ length: CHANGED_PATHS_MAX + 1 }, (_, i) => `${i}.md`);
  changes.add(many, 300);
  expect(changes.take(500)).toEqual({ paths: undefined });
  expect(changes.isEmpty()).toBe(true);
});

it('waits until it is quiet even where nothing is due after a second', () => {
  const changes = new ChangedSources();
  for (let now = 0; now <= 1000; now += 100) changes.add(['busy.md'], now);
  expect(changes.take(1000)).toEqual({ waitMs: 200 });
  expect(changes.take(1100)).toEqual({ waitMs: 100 });
});

it('counts the second from the first change, or the last time that something was given away', () => {
  const changes = new ChangedSources();
  changes.add(['a.md'], 5000);
  changes.add(['b.md'], 5900);
  expect(changes.take(5950)).toEqual({ waitMs: 50 });
  expect(changes.take(6000)).toEqual({ paths: ['a.md'] });
  changes.add(['b.md'], 6050);
  expect(changes.take(6060)).toEqual({ waitMs: 190 });
});

it('names as many paths as the limit says', () => {
  const changes = new ChangedSources();
  changes.add(
    Array.from({ length: CHANGED_PATHS_MAX }, (_, i) => `${i}.md`),
    0,
  );
  const taken = changes.take(200);
  expect('paths' in taken && taken.paths).toHaveLength(CHANGED_PATHS_MAX);
});

it('names no path where anything may have changed', () => {
  const changes = new ChangedSources();
  changes.add(undefined, 0);
  changes.add(['later.md'], 100);
  expect(changes.take(300)).toEqual({ paths: undefined });
  expect(changes.take(300)).toEqual({ paths: ['later.md'] });
});
