import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseByRank } from '../../src/domain/ranking.js';
import { candidates, naiveVectorRank } from '../support/chunks-ranked.js';
import { runs } from '../support/seed.js';

describe('fuseByRank, for any lists', () => {
  it('reorders the candidates and changes nothing else about them', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const ranked = fuseByRank(list);
        expect(ranked.map(({ id }) => id).toSorted()).toEqual(list.map(({ id }) => id).toSorted());
        for (const { score, vectorRank, ...rest } of ranked) expect(list).toContainEqual(rest);
      }),
      runs(200),
    );
  });

  it('puts the highest score first and keeps the order of equal ones', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const ranked = fuseByRank(list).map(({ id, score }) => ({
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
        for (const { id, vectorRank } of fuseByRank(list))
          expect(vectorRank).toBe(naiveVectorRank(list, id));
      }),
      runs(200),
    );
  });

  it('scores 1/(60 + keyword rank) + 1/(60 + cosine rank), missing ranks being one past the last', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        for (const { id, keywordRank, score } of fuseByRank(list)) {
          const missing = list.length + 1;
          const vectorRank = naiveVectorRank(list, id) ?? missing;
          expect(score).toBe(1 / (60 + (keywordRank ?? missing)) + 1 / (60 + vectorRank));
        }
      }),
      runs(200),
    );
  });

  it('keeps the keyword order where there are no vectors', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const keywordOnly = list.flatMap(({ cosine: _, ...rest }) =>
          rest.keywordRank ? [rest] : [],
        );
        expect(fuseByRank(keywordOnly).map(({ id }) => id)).toEqual(
          keywordOnly.map(({ id }) => id),
        );
      }),
      runs(100),
    );
  });
});
