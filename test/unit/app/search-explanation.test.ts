import { beforeEach, describe, expect, it } from 'vitest';
import type { SearchParameters } from '../../../src/app/search/retrieval.js';
import type { SearchAnswer } from '../../../src/schemas/explanation.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { idOf, makeRetrievalWorld, type RetrievalWorld } from '../../support/retrieval-world.js';

let world: RetrievalWorld;

/** 3, 4 and 2 tokens, in this order. */
beforeEach(async () => {
  world = await makeRetrievalWorld();
  await world.fill(10);
  await world.add('first', 'wal wal wal');
  await world.add('second', `wal wal ${'x'.repeat(8)}`);
  await world.add('third', 'wal one');
});

describe('the explanation of a search', () => {
  it('says how plain words were read', async () => {
    expect((await explain('How WAL?')).query).toEqual({ kind: 'plain', terms: ['How', 'WAL'] });
  });

  it('lists the wanted terms of a structured query, not the excluded ones', async () => {
    const { query } = await explain('("wal mode" OR jour*) NOT lock');
    expect(query).toEqual({ kind: 'structured', terms: ['wal mode', 'jour'] });
  });

  it('reports the mode with its reason, and the sizes of the lists', async () => {
    const { mode, candidates } = await explain('wal');
    expect(mode).toEqual({ value: 'bm25', reason: 'This search ranks by keywords only.' });
    expect(candidates).toEqual({ anyWord: 3 });
  });

  it('traces each result in the order of the results', async () => {
    const answer = await search('wal', { maxResults: 2 });
    const [first, second] = answer.results.map(({ score }) => score);
    expect(answer.explanation.results).toEqual([
      { id: idOf('first'), score: first, keywordRank: 1, keywordScore: first, tokens: 3 },
      { id: idOf('second'), score: second, keywordRank: 2, keywordScore: second, tokens: 4 },
    ]);
  });

  it('traces both lists where they were merged', async () => {
    await world.near('third', 'wal', 0.9);
    const { explanation } = await world.hybridSearch.answer({
      projectPath: '/project',
      query: 'wal',
    });
    expect(explanation.mode.value).toBe('hybrid');
    expect(explanation.results.find(({ id }) => id === idOf('third'))).toEqual({
      id: idOf('third'),
      score: 1 / 63 + 1 / 61,
      relevance: expect.closeTo(0.997, 2),
      keywordRank: 3,
      keywordScore: expect.any(Number),
      vectorRank: 1,
      cosine: expect.closeTo(0.9, 6),
      tokens: 2,
    });
  });
});

describe('the budget of a search', () => {
  it.each<[Partial<SearchParameters>, number, number, string]>([
    [{}, 9, 0, 'nothing cut'],
    [{ maxTokens: 9 }, 9, 0, 'nothing cut'],
    [{ maxTokens: 8 }, 7, 1, 'maxTokens reached'],
    [{ maxTokens: 6 }, 3, 2, 'maxTokens reached'],
    [{ maxTokens: 2 }, 0, 3, 'maxTokens reached'],
    [{ maxTokens: 3, maxResults: 3 }, 3, 2, 'maxTokens reached'],
  ])('%j uses %d tokens and cuts %d chunks: %s', async (options, usedTokens, cut, reason) => {
    const { results, totalTokens, explanation } = await search('wal', options);
    expect(explanation.budget).toMatchObject({ usedTokens, cut, reason });
    expect(totalTokens).toBe(usedTokens);
    expect(results).toHaveLength(3 - cut);
    expect(explanation.results).toHaveLength(3 - cut);
  });

  it('says that the number of results was reached', async () => {
    const options = { maxResults: 1 };
    const { explanation } = await world.hybridSearch.answer({
      projectPath: '/project',
      query: 'wal',
      ...options,
    });
    expect(explanation.budget).toEqual({
      maxResults: 1,
      maxTokens: 8000,
      usedTokens: 3,
      cut: 2,
      reason: 'maxResults reached',
    });
  });
});

describe('the notes of a search', () => {
  it.each<[string, string, Partial<SearchParameters>]>([
    ['budget', 'wal', { maxTokens: 2 }],
    ['no_match', 'wal', { sourceTypes: ['manual'] }],
    ['no_match', 'nowhere', {}],
    ['no_match', '!!!', {}],
  ])('say %s of an empty answer to %j with %j', async (code, text, options) => {
    const { results, explanation } = await search(text, options);
    expect(results).toEqual([]);
    expect(explanation.notes.map((note) => note.code)).toEqual([code]);
  });

  it('say how big the first chunk is', async () => {
    const { explanation } = await search('wal', { maxTokens: 2 });
    expect(explanation.notes[0]?.sentence).toBe(
      'The best chunk takes 3 tokens, more than the budget of 2.',
    );
  });

  it('say that the query has nothing to look for', async () => {
    expect((await search('!!!')).explanation.notes).toEqual([
      { code: 'no_match', sentence: 'The query contains no letter or digit.' },
    ]);
  });

  it('say that the project was never indexed, and nothing else', async () => {
    world = await makeRetrievalWorld({ indexing: 'to_come' });
    const { explanation } = await search('wal');
    expect(explanation).not.toHaveProperty('indexing');
    expect(codesOf({ explanation })).toEqual(['never_indexed']);
  });

  it('say what relevance nothing reaches', async () => {
    await world.add('far', 'hart');
    await world.near('far', 'wal', 0.29);
    const asked = { sourceTypes: ['file' as const], minRelevance: 0.96, query: 'zebra' };
    await world.near('far', 'zebra', 0.29);
    const { explanation } = await read('zebra', asked);
    const sentence = 'The closest chunk has a relevance below 0.96 (minRelevance).';
    expect(explanation.notes).toEqual([{ code: 'irrelevant', sentence }]);
  });

  it.each([
    [0.9, 1, 2, []],
    [-0.1, 3, 10, ['not_relevant']],
  ])('count weak results, unless all are wanted: %j', async (best, shown, leftOut, notes) => {
    await withVectors({ first: best, second: -0.25, third: -0.3 });
    const some = await read('wal');
    expect([some.results.length, codesOf(some)]).toEqual([shown, notes]);
    expect([some.leftOut, some.weak]).toEqual([leftOut === 2 ? 12 : 10, best < 0.5]);
    const all = await read('wal', { all: true });
    expect([all.results.length, all.leftOut]).toEqual([13, 0]);
  });

  it('say how many chunks lack a vector, and nothing of their relevance', async () => {
    await world.near('first', 'wal', -0.9);
    const { weak, explanation, results } = await read('wal');
    expect([weak, results.length]).toEqual([false, 2]);
    expect(explanation.notes).toEqual([
      {
        code: 'no_vectors',
        sentence:
          '12 chunks have no vector yet: only keywords find them, and they have no relevance.',
      },
    ]);
  });

  it('say how many chunks lack a vector instead of a doubt about the others', async () => {
    await withVectors({ first: -0.1, second: -0.25, third: -0.3 });
    await world.add('unseen', 'nothing in common');
    const { weak, explanation, results } = await read('wal');
    expect([weak, results.length]).toEqual([true, 3]);
    expect(explanation.notes).toEqual([
      {
        code: 'no_vectors',
        sentence:
          '1 chunk has no vector yet: only keywords find it, and a better answer may be missing.',
      },
    ]);
  });

  it('say that the model is loading', async () => {
    const embedder = new FakeEmbedder();
    embedder.hold();
    world = await makeRetrievalWorld({ embedder });
    const { explanation } = await hybrid('wal');
    expect(explanation.notes.map(({ sentence }) => sentence)).toEqual([
      'No chunk matches.',
      'The embedding model is still loading. This search used keywords only.',
    ]);
    embedder.fail('absent');
    world.clock.advance(1000);
    expect(codesOf(await hybrid('wal'))).toEqual(['no_match', 'no_model']);
  });

  it('say that no candidate has a vector yet', async () => {
    expect(codesOf(await hybrid('wal'))).toEqual(['no_vectors']);
    await world.near('first', 'wal', 0.5);
    expect(codesOf(await hybrid('wal'))).toEqual(['no_vectors']);
    await withVectors({ first: 0.5, second: 0.4, third: 0.4 });
    expect(codesOf(await hybrid('wal'))).toEqual([]);
  });
});

async function withVectors(cosines: Readonly<Record<string, number>>): Promise<void> {
  for (let i = 0; i < 10; i += 1) await world.near(`filler-${i}`, 'wal', -0.9);
  for (const [name, cosine] of Object.entries(cosines)) await world.near(name, 'wal', cosine);
}

function read(text: string, options?: Partial<SearchParameters>) {
  return world.hybridSearch.read({ projectPath: '/project', query: text, ...options });
}

function hybrid(text: string, options?: Partial<SearchParameters>) {
  return world.hybridSearch.answer({ projectPath: '/project', query: text, ...options });
}

function codesOf({ explanation }: Pick<SearchAnswer, 'explanation'>) {
  return explanation.notes.map(({ code }) => code);
}

function search(text: string, options?: Partial<SearchParameters>) {
  return world.searchOnly.answer({ projectPath: '/project', query: text, ...options });
}

async function explain(text: string) {
  return (await search(text)).explanation;
}
