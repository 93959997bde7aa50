import { beforeEach, describe, expect, it } from 'vitest';
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

describe('a survey', () => {
  it('counts chunks by type, size and last retrieval', async () => {
    const survey = await world.core.overview.surveyChunks(P);
    const day = world.ports.clock.now().toISOString().slice(0, 10);
    expect(survey).toMatchObject({ chunks: 4, tokens: 14, retrievals: 1, neverRetrieved: 3 });
    expect(survey.types).toEqual([
      { sourceType: 'file', chunks: 3, tokens: 11, retrievals: 1 },
      { sourceType: 'manual', chunks: 1, tokens: 3, retrievals: 0 },
    ]);
    expect(survey.sizes[0]).toEqual({ upTo: 50, chunks: 4 });
    expect(survey.sizes.at(-1)).toEqual({ chunks: 0 });
    expect(survey.lastRetrieved).toEqual([{ day, chunks: 1 }]);
  });

  it('is empty, and creates nothing, where there is no store', async () => {
    const { overview } = coreInMemory().core;
    expect(await overview.surveyChunks(P)).toMatchObject({ chunks: 0, types: [] });
    expect(await overview.listChunks(P)).toEqual({ total: 0, chunks: [] });
  });
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
