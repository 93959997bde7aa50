import { beforeEach, expect, it } from 'vitest';
import type { SearchParameters } from '../../../src/app/search/retrieval.js';
import { idOf, makeRetrievalWorld, type RetrievalWorld } from '../../support/retrieval-world.js';

let world: RetrievalWorld;

beforeEach(async () => {
  world = await makeRetrievalWorld();
  await world.fill(200);
  for (let i = 0; i < 60; i += 1) await world.add(`parts-${i}`, `size of a pool ${i}`);
  await world.add('x', `one long text that says pool.size once ${'and more '.repeat(40)}`);
});

it('puts literal matches first, although 60 other chunks contain more of the parts', async () => {
  const answer = await search('pool.size');
  const [first] = answer.results;
  expect(first?.chunk.sourceFile).toBe('x');
  expect(answer.retrievalMode).toBe('bm25');
});

it('adds chunks with exact words once, after the others, with the score of the last one', async () => {
  await world.add('y', 'pool.size of a pool');
  const { results } = (await search('pool.size', { maxResults: 100 })).explanation;
  expect(results).toHaveLength(51);
  const ofSource = (name: string) => results.filter(({ id }) => id === idOf(name));
  expect(ofSource('y')).toMatchObject([{ keywordRank: 1 }]);
  const last = results.find(({ keywordRank }) => keywordRank === 50)?.keywordScore;
  expect(ofSource('x')).toMatchObject([{ keywordRank: 51, keywordScore: last }]);
});

it('adds nothing to what an expression finds', async () => {
  const request = { maxResults: 100 } as const;
  const { results } = await search('"size of" NOT "pool.size"', request);
  expect(results.map(({ chunk }) => chunk.sourceFile)).not.toContain('x');
});

it('changes no score and no relevance', async () => {
  await world.near('x', 'pool.size', 0.05);
  await world.near('parts-1', 'pool.size', 0.5);
  const { results } = await search('pool.size', { maxResults: 100 });
  const byScore = results.toSorted((a, b) => b.score - a.score);
  expect(results[0]?.chunk.sourceFile).toBe('x');
  expect(byScore[0]?.chunk.sourceFile).not.toBe('x');
});

it('keeps the order of the scores as specified', async () => {
  for (const name of ['x', 'parts-1']) await world.near(name, 'pool.size', 0.2);
  for (const fusion of ['rrf', 'blend'] as const) {
    const request = { projectPath: world.project.path, query: 'pool.size', fusion };
    const { results } = await world.hybridSearch.answer(request);
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(results[0]?.chunk.sourceFile).not.toBe('x');
  }
});

function search(text: string, request: Partial<SearchParameters> = {}) {
  return world.hybridSearch.read({
    projectPath: world.project.path,
    query: text,
    all: true,
    ...request,
  });
}
