import { describe, expect, it } from 'vitest';
import { HEADER_WEIGHT } from '../../../src/domain/limits.js';
import {
  cosineSimilarity,
  cosineStatistics,
  dot,
  isStorable,
  nearestFirst,
  normalize,
  normalizedMean,
  weighedHeader,
  withHeader,
} from '../../../src/domain/ranking/vector.js';

const v = (...values: readonly number[]) => Float32Array.from(values);

describe('cosineSimilarity', () => {
  it('does not depend on the lengths of vectors', () => {
    expect(cosineSimilarity(v(2, 0), v(5, 0))).toBe(1);
    expect(cosineSimilarity(v(1, 0), v(0, 3))).toBe(0);
    expect(cosineSimilarity(v(1, 1), v(-2, -2))).toBeCloseTo(-1, 12);
    expect(cosineSimilarity(v(3, 4), v(2, 0))).toBeCloseTo(0.6, 12);
  });

  it('is 0 if a vector has no length', () => {
    expect(cosineSimilarity(v(0, 0), v(1, 0))).toBe(0);
  });

  it('stays within -1 and 1 in spite of rounding', () => {
    const long = new Float32Array(384).fill(0.1);
    expect(cosineSimilarity(long, long)).toBeLessThanOrEqual(1);
  });

  it('refuses vectors of different dimensions', () => {
    expect(() => cosineSimilarity(v(1), v(1, 0))).toThrow(RangeError);
    expect(() => dot(v(1), v(1, 0))).toThrow('Vectors of 1 and 2 dimensions cannot be compared.');
  });
});

describe('normalized', () => {
  it('scales to length 1', () => {
    expect(normalize(v(3, 4))).toEqual(v(0.6, 0.8));
  });

  it.each([[v(0, 0)], [v(Number.NaN, 1)], [v(Number.POSITIVE_INFINITY, 1)], [v()]])(
    'is undefined for %j',
    (vector) => {
      expect(normalize(vector)).toBeUndefined();
    },
  );
});

describe('normalizedMean', () => {
  it('is the average, scaled to length 1', () => {
    expect(normalizedMean([v(1, 0), v(0, 1)])).toEqual(v(Math.SQRT1_2, Math.SQRT1_2));
    expect(normalizedMean([v(2, 0)])).toEqual(v(1, 0));
  });

  it('is undefined for vectors that cancel out and for an empty list', () => {
    expect(normalizedMean([v(1, 0), v(-1, 0)])).toBeUndefined();
    expect(normalizedMean([])).toBeUndefined();
  });
});

it('orders chunks by distance, then by id', () => {
  const near = ['b .1', 'c .9', 'a .1', 'd .5'].map((one) => {
    const [chunkId = '', cosine] = one.split(' ');
    return { chunkId, cosine: Number(cosine) };
  });
  expect(
    near
      .toSorted(nearestFirst)
      .map(({ chunkId }) => chunkId)
      .join(''),
  ).toBe('cdab');
  const [a, b] = [
    { chunkId: 'a', cosine: 0.1 },
    { chunkId: 'b', cosine: 0.1 },
  ];
  expect([nearestFirst(a, b), nearestFirst(b, a)]).toEqual([-1, 1]);
});

it('a header has the same weight, however long its vector is', () => {
  const weighed = v(0.6 * HEADER_WEIGHT, 0.8 * HEADER_WEIGHT);
  for (const header of [v(3, 4), v(0.6, 0.8)]) {
    for (const [i, value] of weighedHeader(header).entries()) {
      expect(value).toBeCloseTo(weighed[i] ?? 0, 6);
    }
  }
  expect(weighedHeader(v(0, 0))).toEqual(v(0, 0));
});

it('a query is compared with a chunk and its header, if it has one', () => {
  expect(withHeader(v(1, 2), v(3, 4))).toEqual(v(4, 6));
  expect(withHeader(v(1, 2), undefined)).toEqual(v(1, 2));
});

describe('isStorable', () => {
  it('asks for the right size, finite values and some length', () => {
    expect(isStorable(v(0, 2), 2)).toBe(true);
    expect(isStorable(v(0, 2), 3)).toBe(false);
    expect(isStorable(v(0, 0), 2)).toBe(false);
    expect(isStorable(v(1, Number.NaN), 2)).toBe(false);
  });
});

describe('the statistics of cosines', () => {
  it('are their mean and population standard deviation', () => {
    const { mean, deviation } = cosineStatistics([0.3, 0.7, 0.3, 0.7]);
    expect(mean).toBe(0.5);
    expect(deviation).toBeCloseTo(0.2, 12);
  });

  it('are 0 without cosines', () => {
    expect(cosineStatistics([])).toEqual({ mean: 0, deviation: 0 });
  });
});
