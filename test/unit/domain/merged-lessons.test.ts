import { expect, it } from 'vitest';
import { mergeLessons } from '../../../src/domain/lessons/merged-lessons.js';
import { readPlain } from '../../../src/domain/query/query.js';
import type { SearchResult } from '../../../src/domain/ranking/search.js';
import { chunk } from '../../support/chunks.js';

it('a text whose vector is not made yet comes before those that have fewer of the words', () => {
  const results: readonly SearchResult[] = [
    result('Invalidate the login cache.', 0.93),
    result('The cache lives ten minutes.', 0.88),
    result('Flush the login cache by hand.'),
    result('The stand of the hand brake.'),
  ];
  const options = {
    query: readPlain('flush login cache by hand'),
    exactWords: [],
    preferredSources: [],
  };
  const contents = mergeLessons(results, options).map((one) => one.chunk.content);
  expect(contents.indexOf('Flush the login cache by hand.')).toBeLessThan(2);
  expect(contents.at(-1)).toBe('The stand of the hand brake.');
});

const PLAIN = { query: readPlain('login cache'), exactWords: [], preferredSources: [] };

it('a text without a vector is as relevant as the best one that has as many of the words', () => {
  const results = [
    result('The cache lives ten minutes.', 0.7),
    result('Clear the login and its cache.', 0.93),
    result('The login has a cache.'),
  ];
  expect(mergeLessons(results, PLAIN).map((one) => one.chunk.content)).toEqual([
    'Clear the login and its cache.',
    'The login has a cache.',
    'The cache lives ten minutes.',
  ]);
});

it('a text that holds an exact word comes before a much more relevant one that does not', () => {
  const results = [
    result('The cache of the login.', 0.93),
    result('Set cache_ttl for the login.', 0.4),
  ];
  const options = { ...PLAIN, exactWords: ['cache_ttl'] };
  expect(mergeLessons(results, options).map((one) => one.chunk.content)).toEqual([
    'Set cache_ttl for the login.',
    'The cache of the login.',
  ]);
});

function result(content: string, relevance?: number): SearchResult {
  const found = chunk(content, 0, { content });
  return { chunk: found, score: 1, ...(relevance !== undefined && { relevance }) };
}
