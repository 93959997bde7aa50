import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseByRank } from '../../src/domain/ranking/fusion.js';
import { preferSources } from '../../src/domain/ranking/scored-chunk.js';
import { candidates, nameOf } from '../support/chunks-ranked.js';
import { runs } from '../support/seed.js';

describe('preferSources, for any ranking', () => {
  it('puts them first, and keeps both orders and all scores', () => {
    const sources = fc.array(fc.integer({ min: 0, max: 20 }).map((i) => `k${i}`));
    fc.assert(
      fc.property(candidates, sources, (list, preferred) => {
        const ranked = fuseByRank(list);
        const after = preferSources(ranked, preferred);
        const [first, others] = [true, false].map((wanted) =>
          ranked.map(nameOf).filter((name) => preferred.includes(name) === wanted),
        );
        expect(after.map(nameOf)).toEqual([...(first ?? []), ...(others ?? [])]);
        for (const scored of after) expect(ranked).toContain(scored);
      }),
      runs(200),
    );
  });
});
