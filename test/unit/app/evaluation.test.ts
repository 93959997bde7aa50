import { expect, it } from 'vitest';
import { askInEveryWay } from '../../../src/app/search/evaluation.js';
import type { Search } from '../../../src/app/search/search.js';
import { MAX_RESULTS_RANGE, MAX_TOKENS_RANGE } from '../../../src/domain/limits.js';
import { chunk } from '../../support/chunks.js';

const result = (name: string, relevance?: number) => ({
  chunk: chunk(name, 0, { heading: `Heading of ${name}`, content: `Text of ${name}` }),
  score: -1,
  ...(relevance !== undefined && { relevance }),
});

const shown = (name: string, relevance?: number) => ({
  sourceFile: name,
  heading: `Heading of ${name}`,
  content: `Text of ${name}`,
  relevance,
});

it('a question is asked in every order, and none counts as a retrieval', async () => {
  const asked: object[] = [];
  const everything = {
    results: [result('a', 0.9), result('b', 0.5), result('c', 0.4), result('d', 0.3)],
    retrievalMode: 'hybrid',
    explanation: { results: [{ keywordRank: 3 }, {}, { keywordRank: 1 }] },
  };
  const search = {
    read: async (request: { readonly all?: boolean }) => {
      asked.push(request);
      return request.all ? everything : { results: [result('a', 0.9)] };
    },
    answer: async (request: object) => {
      asked.push(request);
      return { results: [result('b')] };
    },
  } as unknown as Pick<Search, 'read' | 'answer'>;

  const question = { projectPath: '/project', query: 'locks' };
  expect(await askInEveryWay(search, question)).toEqual({
    reading: [shown('a', 0.9)],
    everything: [shown('a', 0.9), shown('b', 0.5), shown('c', 0.4), shown('d', 0.3)],
    specified: [shown('b')],
    keywords: [shown('c'), shown('a')],
    mode: 'hybrid',
  });
  const limits = { maxResults: MAX_RESULTS_RANGE.max, maxTokens: MAX_TOKENS_RANGE.max };
  const uncounted = { ...question, retrievals: 'uncounted' };
  expect(asked).toEqual([
    { ...uncounted, ...limits },
    { ...uncounted, ...limits, all: true },
    uncounted,
  ]);
});
