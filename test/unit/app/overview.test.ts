import { beforeEach, describe, expect, it } from 'vitest';
import { RecentProjects } from '../../../src/app/overview/recent-projects.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';

let world: CoreInMemory;

beforeEach(async () => {
  world = coreInMemory({ embedder: FakeEmbedder.ready() });
  world.ports.files.set('docs/a.md', '## One\nthe ibex\n\n## Two\nthe okapi and its kin');
  world.ports.files.set('docs/b.md', 'the numbat');
  await world.core.store.readAllSources(P);
  await world.core.notes.addNote(P, { title: 'Locks', content: 'the zeppelin' });
  await world.core.store.search(P, 'okapi');
});

describe('a list of chunks', () => {
  const listed = async (options: object) => {
    const { total, chunks } = await world.core.overview.listChunks(P, options);
    return [total, ...chunks.map(({ id }) => id)];
  };

  it('is by source and position, page by page', async () => {
    expect(await listed({ limit: 2 })).toEqual([4, '.knowledge/notes/locks.md#0', 'docs/a.md#0']);
    expect(await listed({ limit: 2, offset: 3 })).toEqual([4, 'docs/b.md#0']);
  });

  it('has the most asked, the least asked or the longest first', async () => {
    expect((await listed({ order: 'most_retrieved' }))[1]).toBe('docs/a.md#1');
    expect((await listed({ order: 'least_retrieved' })).at(-1)).toBe('docs/a.md#1');
    expect((await listed({ order: 'longest', limit: 1 }))[1]).toBe('docs/a.md#1');
  });

  it('is empty, and creates nothing, if there is no store', async () => {
    expect(await coreInMemory().core.overview.listChunks(P)).toEqual({ total: 0, chunks: [] });
  });

  it('has those of one type or source only, if asked', async () => {
    expect(await listed({ sourceType: 'manual' })).toEqual([1, '.knowledge/notes/locks.md#0']);
    expect(await listed({ sourceFile: 'docs/a.md' })).toEqual([2, 'docs/a.md#0', 'docs/a.md#1']);
  });

  it.each([{ limit: 0 }, { limit: 201 }, { offset: -1 }, { order: 'best' }])(
    'is refused for %j',
    async (options) => {
      await expect(listed(options)).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );
});

it('the known projects are those that may be served, at most 20', async () => {
  const usedAt = new Date('2026-01-01');
  const paths = ['/outside', ...Array.from({ length: 30 }, (_, i) => `/p${i}`)];
  const recent = new RecentProjects({
    projectHistory: { list: () => paths.map((path) => ({ path, usedAt })) },
    directories: {
      resolve: async (path) => (path === '/outside' ? Promise.reject(new Error()) : path),
    },
    appDirs: world.ports.appDirs,
    files: world.ports.files,
    stores: world.ports.stores,
  });
  const { projects } = await recent.list();
  expect(projects).toHaveLength(20);
  expect(projects[0]).toEqual({ projectPath: '/p0', usedAt: usedAt.toISOString() });
  world.ports.files.set('.knowledge/knowledge.db', 'twelve bytes');
  expect((await recent.list()).projects[0]).toMatchObject({ bytes: 12 });
});

it('the known projects have figures, if asked, and no work begins for them', async () => {
  const usedAt = new Date('2026-01-01');
  const history = { remember: () => undefined, list: () => [{ path: P, usedAt }] };
  const other = coreInMemory({ projectHistory: history, stores: world.ports.stores });
  const { projects } = await other.useCases.recentProjects.list({ figures: 'true' });
  const figures = { chunks: 4, sources: 3, lastUpdated: expect.stringMatching(/^\d{4}-/) };
  expect(projects).toEqual([{ projectPath: P, usedAt: usedAt.toISOString(), figures }]);
  expect(other.woken()).toBe(0);
  expect((await other.useCases.recentProjects.list({})).projects[0]).not.toHaveProperty('figures');
});
