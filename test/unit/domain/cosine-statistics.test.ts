import { describe, expect, it } from 'vitest';
import { statisticsOf } from '../../../src/domain/ranking/vector.js';

describe('the statistics of cosines', () => {
  it('are their mean and population standard deviation', () => {
    const { mean, deviation } = statisticsOf({ count: 4, mean: 0.5, meanSquare: 0.29 });
    expect(mean).toBe(0.5);
    expect(deviation).toBeCloseTo(0.2, 12);
  });

  it('have no deviation where rounding makes the variance negative', () => {
    expect(statisticsOf({ count: 2, mean: 0.5, meanSquare: 0.25 - 1e-9 })).toEqual({
      mean: 0.5,
      deviation: 0,
    });
  });

  it.each([
    { count: 0, mean: null, meanSquare: null },
    { count: 0, mean: 0.5, meanSquare: null },
    { count: 0, mean: null, meanSquare: 0.5 },
  ])('are 0 without cosines: %j', (moments) => {
    expect(statisticsOf(moments)).toEqual({ mean: 0, deviation: 0 });
  });
});
