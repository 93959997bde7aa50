import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, fuseByRank, fuseByScore } from '../../src/domain/ranking.js';
import { runs } from '../support/seed.js';

const cosine = fc.oneof(
  fc.constantFrom(-1, -0.25, 0, 0.25, 0.5, 1),
  fc.float({ min: -1, max: 1, noNaN: true }),
);
const keywordScore = fc.oneof(
  fc.constantFrom(-8, -2, -1, -1e-6),
  fc.float({ min: -30, max: 0, noNaN: true }),
);

/** As the retriever makes them: the keyword list, best first, then what only the vectors found. */
const candidates: fc.Arbitrary<readonly Candidate[]> = fc
  .tuple(
    fc.array(fc.tuple(keywordScore, fc.option(cosine)), { maxLength: 30 }),
    fc.array(cosine, { maxLength: 10 }),
  )
  .map(([found, nearOnly]) => [
    ...found
      .toSorted(([a], [b]) => a - b)
      .map(([score, near], i) => ({
        id: `k${i}`,
        keywordRank: i + 1,
        keywordScore: score,
        ...(near !== null && { cosine: near }),
      })),
    ...nearOnly.map((near, i) => ({ id: `v${i}`, cosine: near })),
  ]);

const FUSIONS = [
  ['fuseByRank', fuseByRank],
  ['fuseByScore', fuseByScore],
] as const;

describe.each(FUSIONS)('%s, for any lists', (_, fuse) => {
  it('reorders the candidates and changes nothing else about them', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const ranked = fuse(list);
        expect(ranked.map(({ id }) => id).toSorted()).toEqual(list.map(({ id }) => id).toSorted());
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

describe('fuseByRank, for any lists', () => {
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

describe('fuseByScore, for any lists', () => {
  it('scores from 0 to 1', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        for (const { score } of fuseByScore(list)) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
      runs(200),
    );
  });

  it('is half the share of the best cosine and half the share of the best BM25', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const bestCosine = Math.max(...list.map((candidate) => candidate.cosine ?? 0));
        const bestKeyword = Math.min(...list.map((candidate) => candidate.keywordScore ?? 0));
        for (const candidate of fuseByScore(list)) {
          const { cosine: near = 0, keywordScore: bm25 = 0 } = candidate;
          const nearShare = bestCosine > 0 && near > 0 ? near / bestCosine : 0;
          const keywordShare = bestKeyword < 0 ? bm25 / bestKeyword : 0;
          expect(candidate.score).toBeCloseTo((nearShare + keywordShare) / 2, 12);
        }
      }),
      runs(200),
    );
  });

  it('never ranks a candidate lower for a better score in either list', () => {
    const better = fc.record({
      cosine: fc.double({ min: 0, max: 1 }),
      bm25: fc.double({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(candidates, fc.nat(), better, (list, at, gain) => {
        const chosen = list[at % Math.max(1, list.length)];
        if (chosen === undefined || Number.isNaN(gain.cosine) || Number.isNaN(gain.bm25)) return;
        const raised = {
          ...chosen,
          ...(chosen.cosine !== undefined && { cosine: chosen.cosine + gain.cosine }),
          ...(chosen.keywordScore !== undefined && {
            keywordScore: chosen.keywordScore - gain.bm25,
          }),
        };
        const changed = list.map((candidate) => (candidate === chosen ? raised : candidate));
        expect(scoreOf(changed, chosen.id)).toBeGreaterThanOrEqual(scoreOf(list, chosen.id));
      }),
      runs(300),
    );
  });

  it('does not depend on the scale of either list', () => {
    const power = fc.integer({ min: -6, max: 6 }).map((exponent) => 2 ** exponent);
    fc.assert(
      fc.property(candidates, power, power, (list, cosineScale, keywordScale) => {
        const scaled = list.map(({ cosine: near, keywordScore: bm25, ...rest }) => ({
          ...rest,
          ...(near !== undefined && { cosine: near * cosineScale }),
          ...(bm25 !== undefined && { keywordScore: bm25 * keywordScale }),
        }));
        expect(outline(scaled)).toEqual(outline(list));
      }),
      runs(200),
    );
  });
});

function naiveVectorRank(list: readonly Candidate[], id: string): number | undefined {
  const place = list.findIndex((candidate) => candidate.id === id);
  const own = list[place]?.cosine;
  if (own === undefined) return undefined;
  const nearer = list.filter(
    ({ cosine: near }, i) => near !== undefined && (near > own || (near === own && i < place)),
  );
  return nearer.length + 1;
}

function scoreOf(list: readonly Candidate[], id: string): number {
  return fuseByScore(list).find((candidate) => candidate.id === id)?.score ?? Number.NaN;
}

/** Powers of two scale without rounding. */
function outline(list: readonly Candidate[]) {
  return fuseByScore(list).map(({ id, score }) => [id, score]);
}
