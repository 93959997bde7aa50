import { beforeEach, expect, it } from 'vitest';
import type { AskedSearch } from '../../../src/app/search/retrieval.js';
import { idOf, makeRetrievalWorld, type RetrievalWorld } from '../../support/retrieval-world.js';

let world: RetrievalWorld;

beforeEach(async () => {
  world = await makeRetrievalWorld();
  await world.fill(200);
  for (let i = 0; i < 60; i += 1) await world.add(`parts-${i}`, 'size of a pool');
  await world.add('x', `one long text that says pool.size once ${'and more '.repeat(40)}`);
});

it('puts what stands literally in a chunk first, though 60 others have more of its parts', async () => {
  const answer = await search('pool.size', { exactWords: 'first' });
  const [first, second] = answer.results;
  expect(first?.chunk.sourceFile).toBe('x');
  expect(answer.retrievalMode).toBe('bm25');
  expect(first?.score).toBeLessThanOrEqual(second?.score ?? 0);
});

it('adds what has exact words once, behind the others, with the score of the last of them', async () => {
  await world.add('y', 'pool.size of a pool');
  const { results } = (await search('pool.size', { exactWords: 'first', maxResults: 100 }))
    .explanation;
  expect(results).toHaveLength(51);
  const ofSource = (name: string) => results.filter(({ id }) => id === idOf(name));
  expect(ofSource('y')).toMatchObject([{ keywordRank: 1 }]);
  const last = results.find(({ keywordRank }) => keywordRank === 50)?.keywordScore;
  expect(ofSource('x')).toMatchObject([{ keywordRank: 51, keywordScore: last }]);
});

it('adds nothing to what an expression finds', async () => {
  const request = { exactWords: 'first', maxResults: 100 } as const;
  const { results } = await search('"size of" NOT "pool.size"', request);
  expect(results.map(({ chunk }) => chunk.sourceFile)).not.toContain('x');
});

it('keeps the order of the scores where nobody asked for that', async () => {
  const ranked = await search('pool.size');
  expect(ranked.results.map(({ chunk }) => chunk.sourceFile)).not.toContain('x');
  const { results } = await search('pool.size', { fusion: 'blend' });
  expect(results[0]?.chunk.sourceFile).toBe('parts-0');
});

it('puts it first with blend where vectors were compared', async () => {
  for (const name of ['x', 'parts-1']) await world.near(name, 'pool.size', 0.2);
  const files = async (request: Partial<AskedSearch>) =>
    (await search('pool.size', request)).results.map(({ chunk }) => chunk.sourceFile);
  expect((await files({ fusion: 'blend' }))[0]).toBe('x');
  expect((await files({ fusion: 'blend', exactWords: 'ranked' }))[0]).not.toBe('x');
  expect((await files({ fusion: 'rrf' }))[0]).not.toBe('x');
});

function search(text: string, request: Partial<AskedSearch> = {}) {
  return world.hybridSearch.answer({ projectPath: world.project.path, query: text, ...request });
}
