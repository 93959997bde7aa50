import { beforeEach, describe, expect, it } from 'vitest';
import type { SearchOptions } from '../../../src/app/search/retrieval.js';
import { document, draft } from '../../support/chunks.js';
import { makeRetrievalWorld, type RetrievalWorld } from '../../support/retrieval-world.js';

let world: RetrievalWorld;

beforeEach(async () => {
  world = await makeRetrievalWorld();
  await world.fill(10);
  const chunks = ['first', 'wal once', draft('last', { tags: ['a'] })];
  await world.store.chunks.replaceSources([
    { sourceFile: 'guide', document: document('guide', chunks) },
  ]);
});

describe('a search with context', () => {
  it('joins the neighbours of a result to it, and counts their tokens', async () => {
    const answer = await search({ context: true });
    expect(answer.results.map(({ chunk }) => [chunk.id, chunk.content])).toEqual([
      ['guide#1', 'first\n\nwal once\n\nlast'],
    ]);
    expect(answer.totalTokens).toBe(6);
    expect(answer.explanation.budget.usedTokens).toBe(6);
    expect(answer.explanation.results.map(({ tokens }) => tokens)).toEqual([6]);
  });

  it('has the same scores as without it', async () => {
    const scores = async (options: SearchOptions) =>
      (await search(options)).results.map(({ score, relevance }) => [score, relevance]);
    expect(await scores({ context: true })).toEqual(await scores({}));
  });

  it('joins nothing unless it is asked for', async () => {
    expect(await contents({})).toEqual(['wal once']);
    expect(await contents({ context: false })).toEqual(['wal once']);
  });

  it('prefers the neighbour after a result where the budget has room for one', async () => {
    expect(await contents({ context: true, maxTokens: 4 })).toEqual(['wal once\n\nlast']);
    expect(await contents({ context: true, maxTokens: 2 })).toEqual(['wal once']);
  });

  it('joins only chunks with the tags that are asked for', async () => {
    const chunks = ['first', draft('wal once', { tags: ['a'] }), draft('last', { tags: ['a'] })];
    await world.store.chunks.replaceSources([
      { sourceFile: 'guide', document: document('guide', chunks) },
    ]);
    expect(await contents({ context: true, tags: ['a'] })).toEqual(['wal once\n\nlast']);
  });
});

const search = (options: SearchOptions) =>
  world.hybridSearch.answer({ projectPath: '/project', query: 'wal', ...options });
const contents = async (options: SearchOptions) =>
  (await search(options)).results.map(({ chunk }) => chunk.content);
