import { expect, it } from 'vitest';
import { readPlain, readQuery } from '../../../src/domain/query/query.js';
import { coverageFor, coveredWords } from '../../../src/domain/ranking/coverage.js';

const cover = (query: string, content: string) =>
  coverageFor(readPlain(query), () => 1)({ content });

it.each([
  ['stryker was here', 'other words', 0],
  ['red reds', 'a red one', 1],
  ['used', 'us', 0],
  ['wal mode', 'the mode', 0.5],
])('%j in %j is covered by %d', (query, content, share) => {
  expect(cover(query, content)).toBe(share);
});

it('reads only the first 32 words of a long text', () => {
  const words = Array.from(
    { length: 40 },
    (_, i) => `word${String.fromCharCode(97 + (i % 26))}${i}`,
  );
  expect(coveredWords(readPlain(words.join(' ')))).toHaveLength(32);
});

it('finds a word written as two only if the query has both', () => {
  const query = {
    kind: 'plain',
    words: ['dataset'],
    spellings: ['data set', 'other words'],
  } as const;
  const rate = coverageFor(query, () => 1);
  expect(rate({ content: 'a data  set' })).toBe(1);
  expect(rate({ content: 'other words' })).toBe(0);
});

it('finds a word written as two beside words that are written as one', () => {
  const query = { kind: 'plain', words: ['dataset', 'pool'], spellings: ['data set'] } as const;
  expect(coverageFor(query, () => 1)({ content: 'a data-set in the pool' })).toBe(1);
});

it('counts no words of an expression', () => {
  expect(coveredWords(readQuery('"wal mode" OR pool'))).toEqual([]);
});
