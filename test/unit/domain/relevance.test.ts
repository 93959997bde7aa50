import { describe, expect, it } from 'vitest';
import { rarity } from '../../../src/domain/query/passages.js';
import { readPlain, readQuery } from '../../../src/domain/query/query.js';
import {
  isDoubtful,
  relevanceTo,
  relevantAmong,
  shownAmong,
  shownFor,
  withRelevance,
} from '../../../src/domain/ranking/relevance.js';
import type { ScoredChunk } from '../../../src/domain/ranking/scored-chunk.js';
import { chunk } from '../../support/chunks.js';

describe('relevanceTo', () => {
  it.each([
    [0.54, 0.41],
    [0.63, 0.5],
    [0.66, 0.63],
    [0.71, 0.8],
    [0.44, 0.12],
    [-1, 0],
    [1, 0.98],
  ])('makes of a cosine of %d without common words %d', (cosine, relevance) => {
    expect(relevanceOf('nothing in common', 'other text', { cosine })).toBeCloseTo(relevance, 2);
  });

  it('counts all words found like a cosine that is .35 higher', () => {
    expect(relevanceOf('wal mode', 'mode of the wal', { cosine: 0.28 })).toBeCloseTo(0.5, 2);
    expect(relevanceOf('wal mode', 'mode', { cosine: 0.455 })).toBeCloseTo(0.5, 2);
  });

  it.each([
    ['the rare word counts more than the common one', 'wal', 0.8],
    ['and the common one less', 'mode', 0.2],
  ])('%s', (_, content, share) => {
    const rate = relevanceTo(readPlain('wal mode'), (word) => (word === 'wal' ? 4 : 1));
    const cosine = 0.63 - 0.35 * share;
    expect(rate(scoredChunk(content, { cosine }))).toBeCloseTo(0.5, 2);
  });

  it('finds a word written as two if the query has it so', () => {
    const query = { kind: 'plain', words: ['dataset'], spellings: ['data set'] } as const;
    for (const [text, relevance] of [
      ['Each data-set.', 0.5],
      ['A set of data.', 0.01],
    ] as const) {
      const rated = relevanceTo(query)(scoredChunk(text, { cosine: 0.28 }));
      expect(rated).toBeCloseTo(relevance, 2);
    }
  });

  it('takes two common words of a long question for little', () => {
    const long = 'wal mode backup restore tenant wallet payout currency';
    expect(relevanceOf(long, 'wal mode', { cosine: 0.35 })).toBeLessThan(0.2);
  });

  it.each([
    ['caching', 'It is cached.'],
    ['Invalidations', 'invalidate'],
    ['CAFÉ', 'a cafe'],
    ['cafe', 'CAFÉ'],
    ['the wal', 'wal'],
    ['数据库', '这个数据库很大'],
    ['PostgreSQL', '使用PostgreSQL数据库'],
    ['configuration', 'the configu\u00adration'],
    ['uses', 'use'],
    ['migration', 'migrates'],
    ['movement', 'moves'],
    ['认证', 'API认证'],
    ['16GB', 'It has 16 GB.'],
    ['10000', '10,000 rows'],
    ['email', 'An E-Mail.'],
    ['Mueller', 'Frau Müller'],
    ['Müller', 'Frau Mueller'],
  ])('finds the words of %j in %j', (query, text) => {
    expect(relevanceOf(query, text, { cosine: 0.28 })).toBeCloseTo(0.5, 2);
  });

  it('finds words in the heading, and only at the beginning of a word', () => {
    expect(relevanceOf('wal', 'text', { heading: 'WAL', cosine: 0.28 })).toBeCloseTo(0.5, 2);
    expect(relevanceOf('wal', 'a narwal', { cosine: 0.28 })).toBeLessThan(0.01);
    expect(relevanceOf('wal', 'a narwal of the wal', { cosine: 0.28 })).toBeCloseTo(0.5, 2);
  });

  it('takes a match of a structured query for all words', () => {
    const scored = scoredChunk('alpaca', { cosine: 0.28 });
    expect(relevanceTo(readQuery('alpaca OR bonobo OR caracal'))(scored)).toBeCloseTo(0.5, 2);
  });

  it('rates a chunk without a vector by its words', () => {
    expect(relevanceOf('wal', 'wal')).toBeGreaterThan(0.5);
    expect(relevanceOf('wal mode lock busy', 'wal')).toBeLessThan(0.12);
  });

  it('is never lower for a higher cosine', () => {
    const rates = [-1, -0.5, 0, 0.2, 0.39, 0.4, 0.7, 1].map((cosine) =>
      relevanceOf('wal mode', 'wal', { cosine }),
    );
    expect(rates).toEqual(rates.toSorted((a, b) => a - b));
    for (const rate of rates) expect(rate >= 0 && rate <= 1).toBe(true);
  });
});

it('a word says more the fewer chunks contain it, and most if none does', () => {
  const weights = [0, 1, 10, 50, 100, 200].map((holding) => rarity(holding, 100));
  expect(weights).toEqual(weights.toSorted((a, b) => b - a));
  expect(Math.min(...weights)).toBeGreaterThan(0);
});

interface Given extends Partial<ScoredChunk> {
  readonly heading?: string;
}

function relevanceOf(query: string, content: string, given: Given = {}): number {
  return relevanceTo(readPlain(query))(scoredChunk(content, given));
}

function scoredChunk(content: string, { heading, ...scored }: Given = {}): ScoredChunk {
  const { heading: _, ...rest } = chunk('a', 0);
  return {
    chunk: { ...rest, content, ...(heading !== undefined && { heading }) },
    score: 1,
    ...scored,
  };
}

describe('relevantAmong', () => {
  const kept = (...relevances: readonly (number | undefined)[]) =>
    relevantAmong(relevances, (relevance) => relevance);

  it.each([
    [
      [0.9, 0.28, 0.26, 0.4],
      [0.9, 0.28, 0.4],
    ],
    [
      [0.2, 0.3, 0.13, 0.11],
      [0.2, 0.3, 0.13],
    ],
    [[0.11, 0.05], []],
    [
      [1, 0.3, 0.29],
      [1, 0.3],
    ],
    [
      [0.9, undefined, 0.1],
      [0.9, undefined],
    ],
    [[], []],
  ])('keeps of %j %j', (relevances, expected) => {
    expect(kept(...relevances)).toEqual(expected);
  });
});

it('doubts results if even the best is probably irrelevant', () => {
  const doubt = (...all: readonly number[]) => isDoubtful(all.map((relevance) => ({ relevance })));
  expect([doubt(0.49, 0.2), doubt(0.2, 0.5), doubt(), isDoubtful([{}])]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it('shows weak results to those who want them', () => {
  const results = [{ relevance: 0.9 }, { relevance: 0.1 }];
  const shown = (wish: Parameters<typeof shownFor>[1]) => shownFor(results, wish).length;
  expect([
    shown({}),
    shown({ all: false }),
    shown({ all: true }),
    shown({ minRelevance: 0 }),
  ]).toEqual([1, 1, 2, 2]);
});

it('shows the first few, however irrelevant, if probably none answers', () => {
  const results = [0.02, 0.4, 0.01, 0.3, 0.2].map((relevance) => ({ relevance }));
  const shown = shownAmong(results).map(({ relevance }) => relevance);
  expect(shown).toEqual([0.02, 0.4, 0.01]);
});

describe('shownAmong', () => {
  it.each([
    [
      [0.9, 0.28, 0.26, 0.4],
      [0.9, 0.28, 0.4],
    ],
    [
      [0.2, 0.3, 0.13, 0.11],
      [0.2, 0.3, 0.13],
    ],
    [
      [0.04, 0.11, 0.05, 0.02],
      [0.04, 0.11, 0.05],
    ],
    [
      [0.2, undefined, 0.1],
      [0.2, undefined],
    ],
    [[], []],
  ])('keeps of %j %j', (relevances, expected) => {
    const results = relevances.map((relevance) => (relevance === undefined ? {} : { relevance }));
    expect(shownAmong(results).map((one: { relevance?: number }) => one.relevance)).toEqual(
      expected,
    );
  });
});

describe('withRelevance', () => {
  const rate = relevanceTo(readQuery('wal'));
  const ranked = [0.49, 0.64, 0.24, 0.44].map((cosine) => scoredChunk('other text', { cosine }));
  const own = ranked.map(rate);

  it('adds the relevance of each chunk', () => {
    const rated = withRelevance(ranked, { rate, order: 'ignored' });
    expect(rated.map(({ relevance }) => relevance)).toEqual(own);
  });

  it('adds none to a chunk without a vector', () => {
    const unknown = scoredChunk('other text');
    expect(withRelevance([unknown], { rate, order: 'followed' })).toEqual([unknown]);
  });

  it('keeps each chunk within .05 of those after it if the order counts, and keeps the highest', () => {
    const rated = withRelevance(ranked, { rate, order: 'followed' });
    const [, best = 0, , last = 0] = own;
    const expected = [best - 0.05, best, last - 0.05, last];
    expect(rated.map(({ relevance }) => relevance)).toEqual(expected);
  });
});
