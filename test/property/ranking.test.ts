import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseByRank } from '../../src/domain/ranking/fusion.js';
import { candidates, naiveVectorRank, nameOf } from '../support/chunks-ranked.js';
import { runs } from '../support/seed.js';
import { describeFusion } from './fusion.contract.js';

describeFusion('fuseByRank', fuseByRank);

describe('fuseByRank, for any lists', () => {
  it('scores 1/(60 + keyword rank) + 1/(60 + cosine rank), a missing vector counting as the keyword rank', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        for (const ranked of fuseByRank(list)) {
          const inKeywordList = ranked.keywordRank ?? list.length + 1;
          const inCosineList = naiveVectorRank(list, nameOf(ranked)) ?? inKeywordList;
          expect(ranked.score).toBe(1 / (60 + inKeywordList) + 1 / (60 + inCosineList));
        }
      }),
      runs(200),
    );
  });

  it('keeps the keyword order without vectors', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const keywordOnly = list.flatMap(({ cosine: _, ...rest }) =>
          rest.keywordRank ? [rest] : [],
        );
        expect(fuseByRank(keywordOnly).map(nameOf)).toEqual(keywordOnly.map(nameOf));
      }),
      runs(100),
    );
  });
});
