import { describe, expect, it } from 'vitest';
import { fuseByScore } from '../../../src/domain/ranking/blending.js';
import { nameOf, scored } from '../../support/chunks-ranked.js';

/** Three candidates of BM25 3, 2 and 1, whose mean is 2, with these cosines. */
const candidates = (...cosines: readonly number[]) =>
  cosines.map((cosine, index) =>
    scored(`abc`.charAt(index), { keywordRank: index + 1, relevance: 3 - index, cosine }),
  );

const SPREAD = { mean: 0.2, deviation: 0.1 };

describe('the blend', () => {
  it('adds BM25 over its mean and 0.54 times the deviations of the cosine where the lists agree', () => {
    const scores = scoresOf(fuseByScore(candidates(0.3, 0.2, 0.1), SPREAD));
    expect(scores).toEqual([
      ['a', 2.04],
      ['b', 1],
      ['c', -0.04],
    ]);
  });

  it('gives the vectors .45 of their weight where the lists contradict each other', () => {
    const scores = scoresOf(fuseByScore(candidates(0.1, 0.2, 0.3), SPREAD));
    expect(scores).toEqual([
      ['a', 1.257],
      ['b', 1],
      ['c', 0.743],
    ]);
  });

  it('trusts the vectors of two candidates, which are too few to tell', () => {
    const [first] = fuseByScore(candidates(0.1, 0.3), SPREAD);
    expect(first && nameOf(first)).toBe('b');
  });
});

function scoresOf(ranked: ReturnType<typeof fuseByScore>) {
  return ranked.map((chunk) => [nameOf(chunk), Number(chunk.score.toFixed(10))]);
}
