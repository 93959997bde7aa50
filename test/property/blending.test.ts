import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseByScore } from '../../src/domain/ranking/fusion.js';
import type { ScoredChunk } from '../../src/domain/ranking/scored-chunk.js';
import { candidates, nameOf } from '../support/chunks-ranked.js';
import { runs } from '../support/seed.js';
import { describeFusion } from './fusion.contract.js';

const SPREAD = { mean: 0.2, deviation: 0.1 };

describeFusion('fuseByScore', (list) => fuseByScore(list, SPREAD));

describe('fuseByScore, for any lists', () => {
  it('never ranks a candidate lower that is better in one list and not worse in the other', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const ranked = fuseByScore(list, SPREAD);
        for (const [place, better] of ranked.entries()) {
          for (const above of ranked.slice(0, place)) expect(beats(better, above)).toBe(false);
        }
      }),
      runs(200),
    );
  });

  it('orders candidates without a vector by BM25', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const scores = fuseByScore(list, SPREAD)
          .filter(({ cosine }) => cosine === undefined)
          .map(({ bm25 = 0 }) => bm25);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
      runs(200),
    );
  });

  it('does not depend on the scale of BM25, nor on that of cosines and their spread', () => {
    const power = fc.integer({ min: -3, max: 3 }).map((exponent) => 2 ** exponent);
    const larger = fc.integer({ min: 0, max: 4 }).map((exponent) => 2 ** exponent);
    fc.assert(
      fc.property(candidates, power, larger, (list, keywordScale, cosineScale) => {
        const scaled = list.map(({ cosine, bm25, ...rest }) => ({
          ...rest,
          ...(cosine !== undefined && { cosine: cosine * cosineScale }),
          ...(bm25 !== undefined && { bm25: bm25 * keywordScale }),
        }));
        const spread = {
          mean: SPREAD.mean * cosineScale,
          deviation: SPREAD.deviation * cosineScale,
        };
        const outline = (fused: ReturnType<typeof fuseByScore>) =>
          fused.map((ranked) => [nameOf(ranked), ranked.score.toFixed(9)]);
        expect(outline(fuseByScore(scaled, spread))).toEqual(outline(fuseByScore(list, SPREAD)));
      }),
      runs(200),
    );
  });

  it('returns finite scores for any cosine statistics', () => {
    const spread = fc.record({
      mean: fc.float({ min: -1, max: 1, noNaN: true }),
      deviation: fc.constantFrom(0, 1e-9, 0.03, 1),
    });
    fc.assert(
      fc.property(candidates, spread, (list, anySpread) => {
        for (const { score } of fuseByScore(list, anySpread))
          expect(Number.isFinite(score)).toBe(true);
      }),
      runs(200),
    );
  });
});

/** Clearly better in one list, and not worse in the other; both have a vector. */
function beats(a: ScoredChunk, b: ScoredChunk): boolean {
  if (a.cosine === undefined || b.cosine === undefined) return false;
  const keyword = (a.bm25 ?? 0) - (b.bm25 ?? 0);
  const cosine = a.cosine - b.cosine;
  return keyword >= 0 && cosine >= 0 && Math.max(keyword, cosine) > 1e-6;
}
