import { describe, expect, it } from 'vitest';
import { fuseByRank } from '../../../src/domain/ranking/reciprocal-rank-fusion.js';
import { nameOf, scored } from '../../support/chunks-ranked.js';

const LIST = [
  scored('word', { keywordRank: 1, bm25: 4, cosine: 0.2 }),
  scored('both', { keywordRank: 2, bm25: 3, cosine: 0.8 }),
  scored('fresh', { keywordRank: 3, bm25: 2 }),
  scored('sense', { cosine: 0.5 }),
];

describe('fuseByRank', () => {
  it('adds the reciprocal ranks of both lists, a missing keyword rank counting as one past the last', () => {
    expect(fuseByRank(LIST).map((fused) => [nameOf(fused), fused.vectorRank, fused.score])).toEqual(
      [
        ['both', 1, 1 / 62 + 1 / 61],
        ['word', 3, 1 / 61 + 1 / 63],
        ['fresh', undefined, 1 / 63 + 1 / 63],
        ['sense', 2, 1 / 65 + 1 / 62],
      ],
    );
  });

  it('keeps the keyword order of equal scores, however important the chunks are', () => {
    const important = scored('b', { keywordRank: 2, cosine: 0.9 });
    const crossed = [
      scored('a', { keywordRank: 1, cosine: 0.1 }),
      { ...important, chunk: { ...important.chunk, importance: 1 } },
    ];
    expect(fuseByRank(crossed).map(nameOf)).toEqual(['a', 'b']);
  });
});
