import { expect, it } from 'vitest';
import { fuseByScore } from '../../../src/domain/ranking/fusion.js';
import type { ScoredChunk } from '../../../src/domain/ranking/scored-chunk.js';
import { nameOf, scored } from '../../support/chunks-ranked.js';

const SPREAD = { mean: 0.2, deviation: 0.1 };
const NARROW = { mean: 0.2, deviation: 0.001 };

/**
 * Candidates `a`, `b`, and so on with these cosines, the last of which has a BM25 of `least`, each before it 1 more.
 */
const candidates = (cosines: readonly (number | undefined)[], least = 1): readonly ScoredChunk[] =>
  cosines.map((cosine, place) =>
    scored('abcd'.charAt(place), {
      keywordRank: place + 1,
      bm25: least + cosines.length - 1 - place,
      ...(cosine !== undefined && { cosine }),
    }),
  );
const agreeing = candidates([0.3, 0.2, 0.1]);
const byMeaning = scored('d', { cosine: 0.4 });

it.each([
  [
    'adds BM25 over its mean and .54 deviations of the cosine where the lists agree',
    agreeing,
    'a 2.04, b 1, c -0.04',
  ],
  [
    'gives the vectors .45 of their weight where the lists contradict each other',
    candidates([0.1, 0.2, 0.3]),
    'a 1.257, b 1, c 0.743',
  ],
  [
    'trusts the vectors of two candidates, which are too few to tell',
    candidates([0.1, 0.3], 2),
    'b 1.34, a 0.66',
  ],
  [
    'weighs the vectors in between where the lists agree a little',
    candidates([0.2, 0.3, 0.4, 0.1]),
    'c 1.61, b 1.605, a 1.6, d -0.005',
  ],
  [
    'gives a candidate without a vector half the deviations that its BM25 suggests',
    candidates([0.3, 0.2, undefined]),
    'a 2.04, b 1, c 0.365',
  ],
  [
    'measures BM25 and agreement by the keyword candidates alone',
    [...agreeing, byMeaning],
    'a 2.04, d 1.08, b 1, c -0.04',
  ],
  [
    'scores by vectors alone where no BM25 score is above 0',
    candidates([0.1, 0.2, 0.3], -2),
    'c 0.54, b 0, a -0.54',
  ],
  [
    'ranks by BM25 alone where no candidate has a vector',
    candidates([undefined, undefined, undefined]),
    'a 1.5, b 1, c 0.5',
  ],
])('the blend %s', (_, list, expected) => {
  expect(outline(fuseByScore(list, SPREAD))).toBe(expected);
});

it('the blend takes no deviation for smaller than .03', () => {
  const fused = fuseByScore(candidates([0.23, 0.2, 0.17]), NARROW);
  expect(outline(fused)).toBe('a 2.04, b 1, c -0.04');
});

it('the blend measures agreement by the candidates with a vector alone', () => {
  const fused = fuseByScore(candidates([undefined, 0.3, 0.2, 0.1]), SPREAD);
  const [b = 0, c = 0] = ['b', 'c'].map((name) => fused.find((one) => nameOf(one) === name)?.score);
  expect(b - c).toBeCloseTo(1 / 2.5 + 0.54, 10);
});

it('the blend gives no rank among the cosines to a candidate without one', () => {
  const [first, second] = fuseByScore(candidates([0.3, undefined]), SPREAD);
  expect(first).toHaveProperty('vectorRank', 1);
  expect(second).not.toHaveProperty('vectorRank');
});

function outline(ranked: ReturnType<typeof fuseByScore>): string {
  return ranked.map((one) => `${nameOf(one)} ${Number(one.score.toFixed(10))}`).join(', ');
}
