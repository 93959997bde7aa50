import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  Candidate,
  RankedCandidate,
} from '../../src/domain/ranking/reciprocal-rank-fusion.js';
import { candidates, naiveVectorRank } from '../support/chunks-ranked.js';
import { runs } from '../support/seed.js';

/** What holds for any way of merging two lists. */
export function describeFusion(
  name: string,
  fuse: (list: readonly Candidate[]) => readonly RankedCandidate[],
): void {
  describe(`${name} as a fusion`, () => {
    it('reorders the candidates and changes nothing else about them', () => {
      fc.assert(
        fc.property(candidates, (list) => {
          const ranked = fuse(list);
          expect(ranked.map(({ id }) => id).toSorted()).toEqual(
            list.map(({ id }) => id).toSorted(),
          );
          for (const { score, vectorRank, ...rest } of ranked) expect(list).toContainEqual(rest);
        }),
        runs(200),
      );
    });

    it('puts the highest score first and keeps the order of equal ones', () => {
      fc.assert(
        fc.property(candidates, (list) => {
          const ranked = fuse(list).map(({ id, score }) => ({
            score,
            place: list.findIndex((candidate) => candidate.id === id),
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
          for (const { id, vectorRank } of fuse(list))
            expect(vectorRank).toBe(naiveVectorRank(list, id));
        }),
        runs(200),
      );
    });
  });
}
