import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, ndcg } from '../../bench/quality/metrics.js';
import { charactersIn, commonCharacters, coverage, placesOf } from '../../bench/quality/spans.js';
import { runs } from '../support/seed.js';

const id = fc.integer({ min: 0, max: 80 }).map(String);
const ranking = fc.uniqueArray(id, { maxLength: 60 });
const relevant = fc.uniqueArray(id, { minLength: 1, maxLength: 30 }).map((ids) => new Set(ids));
const span = fc
  .tuple(fc.nat(60), fc.nat(20))
  .map(([start, length]) => ({ start, end: start + length }));
const spans = fc.array(span, { maxLength: 8 });

describe('the metrics of any ranking', () => {
  it('equal a naive nDCG', () => {
    fc.assert(
      fc.property(ranking, relevant, fc.integer({ min: 1, max: 50 }), (ranked, wanted, depth) => {
        expect(ndcg(ranked, wanted, depth)).toBeCloseTo(naiveNdcg(ranked, wanted, depth), 12);
      }),
      runs(500),
    );
  });

  it('are never above the ceiling, and reach it when what is relevant comes first', () => {
    fc.assert(
      fc.property(ranking, relevant, (ranked, wanted) => {
        const first50 = ranked.slice(0, 50);
        const sorted = [
          ...first50.filter((other) => wanted.has(other)),
          ...first50.filter((other) => !wanted.has(other)),
        ];
        const { ndcg10, ceiling10 } = judge(ranked, wanted);
        expect(ndcg10).toBeLessThanOrEqual(ceiling10);
        expect(judge(sorted, wanted).ndcg10).toBe(ceiling10);
      }),
      runs(300),
    );
  });
});

describe('any spans', () => {
  it('have as many characters as they cover positions', () => {
    fc.assert(
      fc.property(spans, spans, (a, b) => {
        const common = [...placesIn(a)].filter((place) => placesIn(b).has(place));
        expect(charactersIn(a)).toBe(placesIn(a).size);
        expect(commonCharacters(a, b)).toBe(common.length);
      }),
      runs(300),
    );
  });

  it('cover at most their own length, and no more together than separately', () => {
    const labelled = spans.filter((list) => charactersIn(list) > 0);
    fc.assert(
      fc.property(spans, labelled, fc.nat(50), (returned, wanted, elsewhere) => {
        const { recall, precision, iou } = coverage(returned, wanted, elsewhere);
        for (const value of [recall, precision, iou]) expect(value).toBeLessThanOrEqual(1);
        expect(iou).toBeLessThanOrEqual(Math.min(recall, precision) + 1e-12);
        expect(iou).toBeGreaterThanOrEqual(0);
      }),
      runs(300),
    );
  });

  it('of the words of a text contain these words', () => {
    const words = fc.array(fc.stringMatching(/^[ab]{1,3}$/), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(words, fc.constantFrom(' ', '\n\n', '\t '), (pieces, space) => {
        const text = pieces.join(space);
        const found = placesOf(text, pieces).map((place) => text.slice(place?.start, place?.end));
        expect(found).toEqual(pieces);
      }),
      runs(200),
    );
  });
});

/** By the book: gains in order of rank against gains in the best order. */
function naiveNdcg(ranked: readonly string[], wanted: ReadonlySet<string>, depth: number): number {
  const gains = ranked.map((other) => (wanted.has(other) ? 1 : 0));
  const unseen = [...wanted].filter((other) => !ranked.includes(other)).map(() => 1);
  const best = [...gains, ...unseen].toSorted((a, b) => b - a);
  return dcg(gains, depth) / dcg(best, depth);
}

function dcg(gains: readonly number[], depth: number): number {
  let total = 0;
  for (let rank = 1; rank <= Math.min(depth, gains.length); rank += 1) {
    total += (2 ** (gains[rank - 1] ?? 0) - 1) / (Math.log(rank + 1) / Math.log(2));
  }
  return total;
}

function placesIn(list: readonly { readonly start: number; readonly end: number }[]): Set<number> {
  return new Set(
    list.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)),
  );
}
