import { describe, expect, it } from 'vitest';
import { fuseByRank } from '../../../src/domain/ranking/reciprocal-rank-fusion.js';

const LIST = [
  { id: 'word', keywordRank: 1, keywordScore: -4, cosine: 0.2 },
  { id: 'both', keywordRank: 2, keywordScore: -3, cosine: 0.8 },
  { id: 'fresh', keywordRank: 3, keywordScore: -2 },
  { id: 'sense', cosine: 0.5 },
];

describe('fuseByRank', () => {
  it('adds the reciprocal ranks of both lists, a missing keyword rank counting as one past the last', () => {
    expect(fuseByRank(LIST).map(({ id, score, vectorRank }) => [id, vectorRank, score])).toEqual([
      ['both', 1, 1 / 62 + 1 / 61],
      ['word', 3, 1 / 61 + 1 / 63],
      ['fresh', undefined, 1 / 63 + 1 / 63],
      ['sense', 2, 1 / 65 + 1 / 62],
    ]);
  });

  it('gives a candidate without a vector its keyword rank in the cosine list too', () => {
    const fresh = [
      { id: 'fresh', keywordRank: 1 },
      { id: 'known', keywordRank: 2, cosine: 0.9 },
    ];
    expect(fuseByRank(fresh).map(({ id, score }) => [id, score])).toEqual([
      ['fresh', 1 / 61 + 1 / 61],
      ['known', 1 / 62 + 1 / 61],
    ]);
  });

  it('keeps the keyword order of equal scores', () => {
    const crossed = [
      { id: 'a', keywordRank: 1, cosine: 0.1 },
      { id: 'b', keywordRank: 2, cosine: 0.9 },
    ];
    expect(fuseByRank(crossed).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('ranks nothing', () => {
    expect(fuseByRank([])).toEqual([]);
  });
});
