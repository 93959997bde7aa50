import { expect, it } from 'vitest';
import { withDeferredIndex } from '../../../src/app/ingestion/ingestion-pass.js';
import type { Project } from '../../../src/app/projects/project.js';

it('adds many sources without the full-text index, which is built afterwards', async () => {
  const { project, events } = recorded();
  expect(await withDeferredIndex(project, MANY, add(events))).toBe('added');
  expect(events).toEqual(['suspend', 'add', 'rebuild']);
});

it('adds few sources with the index', async () => {
  const { project, events } = recorded();
  expect(await withDeferredIndex(project, { ...MANY, sources: 49 }, add(events))).toBe('added');
  expect(events).toEqual(['add']);
});

it('builds no index where it could not be suspended, because there are chunks', async () => {
  const { project, events } = recorded({ isEmpty: false });
  await withDeferredIndex(project, MANY, add(events));
  expect(events).toEqual(['suspend', 'add']);
});

it('builds the index also if adding fails', async () => {
  const { project, events } = recorded();
  const failing = withDeferredIndex(project, MANY, () => Promise.reject(new Error('a bug')));
  await expect(failing).rejects.toThrow('a bug');
  expect(events).toEqual(['suspend', 'rebuild']);
});

it('builds the index once where it is to be built again', async () => {
  for (const isEmpty of [true, false]) {
    const { project, events } = recorded({ isEmpty });
    await withDeferredIndex(project, { ...MANY, index: 'rebuilt' }, add(events));
    expect(events).toEqual(['suspend', 'add', 'rebuild']);
  }
});

it('leaves an index that is complete as it is if adding fails', async () => {
  const { project, events } = recorded({ isEmpty: false });
  const failing = withDeferredIndex(project, { ...MANY, index: 'rebuilt' }, () =>
    Promise.reject(new Error('a bug')),
  );
  await expect(failing).rejects.toThrow('a bug');
  expect(events).toEqual(['suspend']);
});

const MANY = { sources: 50, index: 'kept' } as const;

/** A project whose index notes what is done with it. */
function recorded({ isEmpty = true } = {}) {
  const events: string[] = [];
  const keywords = {
    suspend: async () => {
      events.push('suspend');
      return isEmpty;
    },
    rebuild: async () => void events.push('rebuild'),
  };
  return { project: { path: '/project', store: { keywords } } as unknown as Project, events };
}

function add(events: string[]): () => Promise<string> {
  return async () => {
    events.push('add');
    return 'added';
  };
}
