import { beforeEach, describe, expect, it } from 'vitest';
import type { SearchParameters } from '../../../src/app/search/retrieval.js';
import { ProjectsSearch } from '../../../src/app/search/search-projects.js';
import { noMetrics } from '../../../src/app/wiring/null-objects.js';
import { KnowledgeError } from '../../../src/domain/errors.js';
import type { Profile } from '../../../src/domain/ranking/search.js';
import type { CandidateSet, Fusion } from '../../../src/domain/settings.js';
import { openProject } from '../../support/open-project.js';
import { idOf, makeRetrievalWorld, type RetrievalWorld } from '../../support/retrieval-world.js';

let world: RetrievalWorld;

beforeEach(async () => {
  world = await makeRetrievalWorld();
  await world.fill(10);
  await world.add('first', 'wal wal wal');
  await world.add('second', 'wal one');
  await world.add('third', 'wal one two');
});

describe('a search', () => {
  it.each([[{ maxResults: 1, maxTokens: 1 }], [{ maxResults: 1000, maxTokens: 1_000_000 }]])(
    'accepts the ends of the ranges %j',
    async (options) => {
      expect((await search('wal', options)).explanation.budget).toMatchObject(options);
    },
  );

  it('gives chunks the current path of the project, not the one in their rows', async () => {
    const request = { projectPath: '/moved', query: 'one two' };
    const { results } = await world.searchOnly.answer(request);
    expect(results.map(({ chunk }) => [chunk.sourceFile, chunk.projectPath])).toEqual([
      ['third', '/moved'],
    ]);
  });

  it('reports its retrieval with the seconds that it took, and its answer', async () => {
    const reports: object[] = [];
    const report = (one: object) => void reports.push(one);
    const metrics = { ...noMetrics, searched: report };
    const { clock, store, add, searchOnly } = await makeRetrievalWorld({ metrics });
    await add('one', 'wal');
    await add('two', 'wal '.repeat(100));
    clock.advance(60_000);
    const find = store.keywords.search.bind(store.keywords);
    store.keywords.search = async (...args) => {
      clock.advance(1_500);
      return find(...args);
    };
    await searchOnly.answer({ projectPath: '/project', query: 'wal', maxTokens: 99 });
    expect(reports).toEqual([{ mode: 'bm25', seconds: 1.5, candidates: 2, results: 0 }]);
  });

  it('for people finds the nearest vectors if no word matches, unless candidates are named', async () => {
    await world.add('two', 'deer');
    await world.near('two', 'hart', 0.5);
    expect(await namesRead('hart')).toEqual(['two']);
    expect(await namesRead('hart', { candidates: 'keyword' })).toEqual([]);
    const specified = { projectPath: '/project', query: 'hart' };
    expect((await world.hybridSearch.answer(specified)).results).toEqual([]);
  });

  it('for people has copies once and exact words first', async () => {
    await world.add('copy', 'wal wal wal');
    await world.add('exact', `wal.size ${'x '.repeat(40)}`);
    await world.add('parts', 'wal size');
    const names = await namesRead('wal.size');
    expect([names[0], names.includes('copy'), names.includes('first')]).toEqual([
      'exact',
      false,
      true,
    ]);
  });

  it.each([['counted', 1] as const, ['uncounted', 0] as const])(
    'for people that is %s adds %d to the retrievals',
    async (retrievals, count) => {
      await namesRead('wal', { retrievals });
      expect(useOf('first')[0]).toBe(count);
    },
  );

  it('asks for 20 results of 8000 tokens by itself', async () => {
    const { budget } = (await search('wal')).explanation;
    expect(budget).toMatchObject({ maxResults: 20, maxTokens: 8000 });
  });

  it('finds only the requested source types, none for an empty list', async () => {
    await world.add('lesson', 'wal', 'reflection');
    expect(await found('wal', { sourceTypes: ['reflection'] })).toEqual(['lesson']);
    expect(await found('wal', { sourceTypes: [] })).toEqual([]);
  });
});

describe('how the lists are merged', () => {
  it.each<[Profile, Partial<SearchParameters>, Fusion, CandidateSet]>([
    ['specified', {}, 'rrf', 'keyword'],
    ['specified', { fusion: 'blend', candidates: 'union' }, 'blend', 'union'],
    ['reading', {}, 'blend', 'union'],
    ['reading', { fusion: 'rrf', candidates: 'keyword' }, 'rrf', 'keyword'],
  ])('%s with %j', async (profile, options, fusion, candidates) => {
    await world.near('first', 'wal', 0.5);
    const request = { projectPath: '/project', query: 'wal', ...options };
    const { hybridSearch } = world;
    const { explanation } = await (profile === 'reading'
      ? hybridSearch.read(request)
      : hybridSearch.answer(request));
    expect(explanation.fusion).toBe(fusion);
    expect('vectorOnly' in explanation.candidates).toBe(candidates === 'union');
  });

  it('is absent if nothing is merged', async () => {
    const { explanation, retrievalMode } = await search('wal', { fusion: 'blend' });
    expect(explanation).not.toHaveProperty('fusion');
    expect(retrievalMode).toBe('bm25');
  });

  it('without a vector gives each candidate its keyword rank in both lists', async () => {
    const request = { projectPath: '/project', query: 'wal' };
    const { results, retrievalMode } = await world.hybridSearch.answer(request);
    expect(results.map(({ score }) => score)).toEqual([2 / 61, 2 / 62, 2 / 63]);
    expect(retrievalMode).toBe('bm25');
  });
});

describe('a retrieval', () => {
  it('is counted for exactly the chunks that are returned, at the time of the clock', async () => {
    world.clock.set('2026-03-04T05:06:07.000Z');
    await world.hybridSearch.answer({ projectPath: '/project', query: 'wal', maxResults: 2 });
    expect(['first', 'second', 'third', 'filler-1'].map(useOf)).toEqual([
      [1, '2026-03-04T05:06:07.000Z'],
      [1, '2026-03-04T05:06:07.000Z'],
      [0, undefined],
      [0, undefined],
    ]);
  });

  it('is not counted for chunks that the budget cut', async () => {
    await search('wal', { maxTokens: 4 });
    expect(['first', 'second'].map(useOf)).toEqual([
      [1, '2026-01-01T00:00:00.000Z'],
      [0, undefined],
    ]);
  });
});

describe('a search over several projects', () => {
  const across = async (options: object = {}) => {
    const other = await makeRetrievalWorld();
    await other.add('theirs', 'wal');
    await other.near('theirs', 'wal', 0.5);
    await world.near('first', 'wal', 0.9);
    for (const name of ['second', 'third']) await world.near(name, 'wal', -0.2);
    const worldOf = (path: string) => {
      if (path === '/broken') throw new KnowledgeError('store_unavailable', 'It is locked.');
      if (path === '/bug') throw new Error('A bug.');
      if (path === '/wrong') throw new KnowledgeError('invalid_request', 'It is relative.');
      return path === '/other' ? other : world;
    };
    const search = new ProjectsSearch({
      projects: { open: async (path) => openProject({ path, store: worldOf(path).store }) },
      search: {
        read: async (request) => worldOf(request.projectPath).hybridSearch.read(request),
        countRetrievals: async (project, ids) =>
          worldOf(project.path).hybridSearch.countRetrievals(project, ids),
      },
    });
    const projectPaths = ['/project', '/other', '/broken', '/other'];
    const found = await search.search({ projectPaths, query: 'wal', fusion: 'rrf', ...options });
    const names = found.results.map(({ projectPath, chunk }) => projectPath + chunk.sourceFile);
    return { ...found, names, useOfTheirs: other.row('theirs')?.retrievalCount };
  };

  it('sorts by relevance within one budget, counts what it shows, and reports failures', async () => {
    const { names, useOfTheirs, totalTokens, skipped } = await across({ maxResults: 3, all: true });
    expect(names.slice(0, 2)).toEqual(['/projectfirst', '/othertheirs']);
    expect([names[2], totalTokens]).toEqual(['/projectsecond', 6]);
    expect(skipped).toEqual([{ projectPath: '/broken', reason: 'It is locked.' }]);
    expect([useOf('first')[0], useOf('third')[0], useOfTheirs]).toEqual([1, 0, 1]);
  });

  it('leaves out results weaker than the best of all projects, unless all are requested', async () => {
    expect((await across({ all: true })).names).toHaveLength(4);
    expect((await across({})).names).toEqual(['/projectfirst', '/othertheirs']);
    expect((await across({ maxTokens: 4 })).totalTokens).toBe(4);
  });

  it.each([
    ['/bug', 'A bug.'],
    ['/wrong', 'It is relative.'],
  ])('does not hide what is no fault of a project: %s', async (path, message) => {
    await expect(across({ projectPaths: ['/project', path] })).rejects.toThrow(message);
  });
});

async function namesRead(query: string, options?: Partial<SearchParameters>) {
  const request = { projectPath: '/project', query, all: true, ...options };
  const { results } = await world.hybridSearch.read(request);
  return results.map(({ chunk }) => chunk.sourceFile);
}

function search(text: string, options?: Partial<SearchParameters>) {
  return world.searchOnly.answer({ projectPath: '/project', query: text, ...options });
}

async function found(
  text: string,
  options?: Partial<SearchParameters>,
): Promise<readonly string[]> {
  const { results } = await search(text, options);
  return results.map(({ chunk }) => chunk.sourceFile);
}

function useOf(name: string) {
  const row = world.row(name);
  if (row === undefined) throw new Error(`There is no ${idOf(name)}.`);
  return [row.retrievalCount, row.lastRetrievedAt ?? undefined];
}
