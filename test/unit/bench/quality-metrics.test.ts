import { describe, expect, it } from 'vitest';
import { judge } from '../../../bench/quality/metrics.js';
import { coverage, placesOf, unitsOfCodePoints } from '../../../bench/quality/spans.js';
import { median, percentile } from '../../../bench/quality/statistics.js';

describe('judge', () => {
  it('rates a ranking by the ranks of the relevant documents', () => {
    const ranked = ['x', 'a', 'y', 'z', 'w', 'b'];
    expect(judge(ranked, new Set(['a', 'b', 'c']))).toEqual({
      ndcg10: (1 / Math.log2(3) + 1 / Math.log2(7)) / (1 + 1 / Math.log2(3) + 1 / Math.log2(4)),
      recall5: 1 / 3,
      recall10: 2 / 3,
      recall50: 2 / 3,
      mrr10: 1 / 2,
      ceiling10: (1 + 1 / Math.log2(3)) / (1 + 1 / Math.log2(3) + 1 / Math.log2(4)),
    });
  });

  it('refuses a query without judgements', () => {
    expect(() => judge(['a'], new Set())).toThrow(RangeError);
  });
});

describe('the statistics', () => {
  it('take the middle value, or the mean of the two in the middle', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([7])]).toEqual([2, 2.5, 7]);
  });

  it('take the value after a share of the values', () => {
    const values = Array.from({ length: 200 }, (_, i) => (i * 7) % 200);
    expect([0, 0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([0, 100, 198, 199]);
    expect([percentile([5], 0.99), percentile([], 0.5)]).toEqual([5, Number.NaN]);
  });
});

describe('spans', () => {
  it('are covered by the characters in both, of those wanted, returned, or either', () => {
    const returned = [
      { start: 0, end: 10 },
      { start: 5, end: 20 },
    ];
    expect(coverage(returned, [{ start: 15, end: 25 }], 10)).toEqual({
      recall: 5 / 10,
      precision: 5 / 30,
      iou: 5 / 35,
    });
  });

  it('of pieces are found in their order, regardless of white space', () => {
    const text = 'one two\n\none  two three';
    expect(placesOf(text, ['one two', 'one two', 'three', 'four'])).toEqual([
      { start: 0, end: 7 },
      { start: 9, end: 17 },
      { start: 18, end: 23 },
      undefined,
    ]);
  });

  it('are counted in code points by the labels and in units here', () => {
    const toUnits = unitsOfCodePoints('a😀b');
    expect([0, 1, 2, 3].map(toUnits)).toEqual([0, 1, 3, 4]);
  });
});
