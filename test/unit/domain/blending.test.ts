import { describe, expect, it } from 'vitest';
import { fuseByScore } from '../../../src/domain/ranking/blending.js';
import { nameOf, scored } from '../../support/chunks-ranked.js';

/** Three candidates of BM25 3, 2 and 1, whose mean is 2, with these cosines. */
const candidates = (...cosines: readonly number[]) =>
  cosines.map((cosine, index) =>
    scored(`abc`.charAt(index), { keywordRank: index + 1, bm25: 3 - index, cosine }),
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
    expect(scoresOf(fuseByScore(candidates(0.1, 0.3), SPREAD))).toEqual([
      ['b', 1.34],
      ['a', 0.66],
    ]);
  });

  it('weighs the vectors in between where the lists agree a little', () => {
    const little = [0.2, 0.3, 0.4, 0.1].map((cosine, index) =>
      scored('abcd'.charAt(index), { keywordRank: index + 1, bm25: 4 - index, cosine }),
    );
    expect(scoresOf(fuseByScore(little, SPREAD))).toEqual([
      ['c', 1.61],
      ['b', 1.605],
      ['a', 1.6],
      ['d', -0.005],
    ]);
  });

  it('gives a candidate without a vector half the deviations that its BM25 suggests', () => {
    const [a, b] = candidates(0.3, 0.2);
    const c = scored('c', { keywordRank: 3, bm25: 1 });
    expect(scoresOf(fuseByScore([a, b, c].filter(isDefined), SPREAD))).toEqual([
      ['a', 2.04],
      ['b', 1],
      ['c', 0.365],
    ]);
  });

  it('measures BM25 and agreement by the keyword candidates alone', () => {
    const d = scored('d', { cosine: 0.4 });
    expect(scoresOf(fuseByScore([...candidates(0.3, 0.2, 0.1), d], SPREAD))).toEqual([
      ['a', 2.04],
      ['d', 1.08],
      ['b', 1],
      ['c', -0.04],
    ]);
  });

  it('measures agreement by the candidates with a vector alone', () => {
    const d = scored('d', { keywordRank: 1, bm25: 4 });
    const fused = fuseByScore([d, ...candidates(0.3, 0.2, 0.1)], SPREAD);
    const [a = 0, b = 0] = ['a', 'b'].map(
      (name) => fused.find((one) => nameOf(one) === name)?.score,
    );
    expect(a - b).toBeCloseTo(1 / 2.5 + 0.54, 10);
  });

  it('takes no deviation for smaller than .03', () => {
    const close = { mean: 0.2, deviation: 0.001 };
    expect(scoresOf(fuseByScore(candidates(0.23, 0.2, 0.17), close))).toEqual([
      ['a', 2.04],
      ['b', 1],
      ['c', -0.04],
    ]);
  });

  it('scores by vectors alone where no BM25 score is above 0', () => {
    const none = [0.1, 0.2, 0.3].map((cosine, index) =>
      scored('abc'.charAt(index), { keywordRank: index + 1, bm25: -index, cosine }),
    );
    expect(scoresOf(fuseByScore(none, SPREAD))).toEqual([
      ['c', 0.54],
      ['b', 0],
      ['a', -0.54],
    ]);
  });
});

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function scoresOf(ranked: ReturnType<typeof fuseByScore>) {
  return ranked.map((chunk) => [nameOf(chunk), Number(chunk.score.toFixed(10))]);
}
