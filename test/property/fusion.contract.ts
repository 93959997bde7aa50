import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScoredChunk } from '../../src/domain/ranking/scored-chunk.js';
import { candidates, naiveVectorRank, nameOf } from '../support/chunks-ranked.js';
import { runs } from '../support/seed.js';

/** Properties of every fusion of two lists. */
export function describeFusion(
  name: string,
  fuse: (list: readonly ScoredChunk[]) => readonly ScoredChunk[],
): void {
  describe(`${name} as a fusion`, () => {
    it('reorders the candidates and changes nothing else about them', () => {
      fc.assert(
        fc.property(candidates, (list) => {
          const ranked = fuse(list);
          expect(ranked.map(nameOf).toSorted()).toEqual(list.map(nameOf).toSorted());
          const before = list.map(({ score, ...rest }) => rest);
          for (const { score, vectorRank, ...rest } of ranked) expect(before).toContainEqual(rest);
        }),
        runs(200),
      );
    });

    it('puts the highest score first and keeps the order of equal ones', () => {
      fc.assert(
        fc.property(candidates, (list) => {
          const ranked = fuse(list).map((after) => ({
            score: after.score,
            place: list.findIndex((candidate) => nameOf(candidate) === nameOf(after)),
          }));
          for (const [i, after] of ranked.slice(1).entries()) {
            const before = ranked[i];
            if (before === undefined) continue;
            expect(before.score).toBeGreaterThanOrEqual(after.score);
            if (before.score === after.score) expect(before.place).toBeLessThan(after.place);
          }
        }),
        runs(200),
      );
    });

    it('ranks the cosines from 1, equal ones in the order of the candidates', () => {
      fc.assert(
        fc.property(candidates, (list) => {
          for (const ranked of fuse(list))
            expect(ranked.vectorRank).toBe(naiveVectorRank(list, nameOf(ranked)));
        }),
        runs(200),
      );
    });
  });
}
