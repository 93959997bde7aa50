import { expect, it } from 'vitest';
import { withDeferredIndex } from '../../../src/app/ingestion/ingestion-pass.js';
import type { Project } from '../../../src/app/projects/project.js';

it('adds many sources without the full-text index, which is built afterwards', async () => {
  const { project, events } = recorded();
  expect(await withDeferredIndex(project, 50, add(events))).toBe('added');
  expect(events).toEqual(['suspend', 'add', 'rebuild']);
});

it('adds few sources with the index', async () => {
  const { project, events } = recorded();
  expect(await withDeferredIndex(project, 49, add(events))).toBe('added');
  expect(events).toEqual(['add']);
});

it('builds no index where it could not be suspended, because there are chunks', async () => {
  const { project, events } = recorded({ isEmpty: false });
  await withDeferredIndex(project, 50, add(events));
  expect(events).toEqual(['suspend', 'add']);
});

it('builds the index also if adding fails', async () => {
  const { project, events } = recorded();
  const failing = withDeferredIndex(project, 50, () => Promise.reject(new Error('a bug')));
  await expect(failing).rejects.toThrow('a bug');
  expect(events).toEqual(['suspend', 'rebuild']);
});

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
