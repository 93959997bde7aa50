import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ScoredChunk } from '../../src/domain/ranking/scored-chunk.js';
import { candidates, naiveVectorRank, nameOf } from '../support/chunks-ranked.js';
import { runs } from '../support/seed.js';

/** Properties of every fusion of two lists. */
export function describeFusion(
  name: string,
  fuse: (list: readonly ScoredChunk[]) => readonly ScoredChunk[],
): void {
  it(`${name} reorders candidates by falling scores, ranks their cosines, and changes nothing else`, () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const ranked = fuse(list);
        expect(ranked.map(nameOf).toSorted()).toEqual(list.map(nameOf).toSorted());
        const before = list.map(({ score, ...rest }) => rest);
        const placeOf = (one: ScoredChunk) => list.findIndex((old) => nameOf(old) === nameOf(one));
        for (const [i, one] of ranked.entries()) {
          const { score, vectorRank, ...rest } = one;
          expect(before).toContainEqual(rest);
          expect(vectorRank).toBe(naiveVectorRank(list, nameOf(one)));
          const above = ranked[i - 1];
          if (above === undefined) continue;
          expect(above.score).toBeGreaterThanOrEqual(score);
          if (above.score === score) expect(placeOf(above)).toBeLessThan(placeOf(one));
        }
      }),
      runs(200),
    );
  });
}
