import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseByScore } from '../../src/domain/ranking/blending.js';
import { liftByNeighbours } from '../../src/domain/ranking/neighbour-lift.js';
import type { ScoredChunk } from '../../src/domain/ranking/scored-chunk.js';
import type { Vector } from '../../src/domain/ranking/vector.js';
import { candidates, nameOf } from '../support/chunks-ranked.js';
import { runs } from '../support/seed.js';

type Vectors = ReadonlyMap<string, Vector>;

const value = fc.float({ min: -1, max: 1, noNaN: true });
const vector = fc.tuple(value, value, value).map((values) => Float32Array.from(values));

/** A blend and vectors for most of its chunks. */
const blends: fc.Arbitrary<readonly [readonly ScoredChunk[], Vectors]> = fc
  .tuple(candidates, fc.array(fc.option(vector), { minLength: 40, maxLength: 40 }))
  .map(([list, vectors]) => {
    const ranked = fuseByScore(list, { mean: 0.2, deviation: 0.1 });
    const entries = ranked.flatMap(({ chunk }, i) => {
      const own = vectors[i];
      return own ? [[chunk.id, own] as const] : [];
    });
    return [ranked, new Map(entries)];
  });

describe('liftByNeighbours, for any blend', () => {
  it('reorders the candidates, lowers none, and puts the highest score first', () => {
    fc.assert(
      fc.property(blends, ([ranked, vectors]) => {
        const lifted = liftByNeighbours(ranked, vectors);
        const best = ranked[0]?.score ?? Number.NaN;
        const before = new Map(ranked.map((scored) => [nameOf(scored), scored]));
        expect(lifted.map(nameOf).toSorted()).toEqual(ranked.map(nameOf).toSorted());
        for (const [place, scored] of lifted.entries()) {
          const { score, ...rest } = scored;
          const { score: former = Number.NaN, ...same } = before.get(nameOf(scored)) ?? {};
          expect(rest).toEqual(same);
          expect(score).toBeGreaterThanOrEqual(former);
          expect(score).toBeLessThanOrEqual(best + 1e-9 * Math.max(1, Math.abs(best)));
          expect(score).toBeLessThanOrEqual(lifted[place - 1]?.score ?? score);
        }
      }),
      runs(200),
    );
  });

  it('keeps the order of candidates without a vector', () => {
    fc.assert(
      fc.property(blends, ([ranked, vectors]) => {
        const fresh = (list: readonly ScoredChunk[]) =>
          list.filter(({ chunk }) => !vectors.has(chunk.id)).map(nameOf);
        expect(fresh(liftByNeighbours(ranked, vectors))).toEqual(fresh(ranked));
      }),
      runs(200),
    );
  });

  it('never ranks a candidate lower that is better in one list and not worse in the other', () => {
    fc.assert(
      fc.property(blends, ([ranked, vectors]) => {
        const lifted = liftByNeighbours(ranked, vectors).filter(({ chunk }) =>
          vectors.has(chunk.id),
        );
        for (const [place, better] of lifted.entries()) {
          for (const above of lifted.slice(0, place)) expect(beats(better, above)).toBe(false);
        }
      }),
      runs(200),
    );
  });

  it('does not depend on the lengths of vectors, and changes nothing without them', () => {
    fc.assert(
      fc.property(blends, fc.integer({ min: 1, max: 6 }), ([ranked, vectors], power) => {
        const scaled = Array.from(
          vectors,
          ([id, own]) => [id, own.map((x) => x * 2 ** power)] as const,
        );
        const outline = (lifted: readonly ScoredChunk[]) =>
          lifted.map((scored) => [nameOf(scored), scored.score.toFixed(6)]);
        const lifted = liftByNeighbours(ranked, vectors);
        expect(outline(liftByNeighbours(ranked, new Map(scaled)))).toEqual(outline(lifted));
        expect(liftByNeighbours(ranked, new Map())).toEqual(ranked);
      }),
      runs(200),
    );
  });
});

/** Clearly better in one list, and not worse in the other. */
function beats(a: ScoredChunk, b: ScoredChunk): boolean {
  const keyword = (a.bm25 ?? 0) - (b.bm25 ?? 0);
  const cosine = (a.cosine ?? Number.NaN) - (b.cosine ?? Number.NaN);
  return keyword >= 0 && cosine >= 0 && Math.max(keyword, cosine) > 1e-6;
}
