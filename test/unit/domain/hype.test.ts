import { describe, expect, it } from 'vitest';
import { comparedCosine } from '../../../src/domain/ranking/fusion.js';

describe('the cosine that a chunk is ranked by', () => {
  it('is the better one, a question counting 0.05 less than a text', () => {
    expect(comparedCosine({ content: 0.5, questions: 0.9 })).toBeCloseTo(0.85, 12);
    expect(comparedCosine({ content: 0.87, questions: 0.9 })).toBe(0.87);
    expect(comparedCosine({ content: 0.8, questions: 0.2 })).toBe(0.8);
  });

  it('is the other one if one is missing', () => {
    expect(comparedCosine({ content: -0.3 })).toBe(-0.3);
    expect(comparedCosine({ questions: 0.4 })).toBeCloseTo(0.35, 12);
    expect(comparedCosine({ questions: -0.99 })).toBeCloseTo(-1.04, 12);
  });

  it('is absent without a vector', () => {
    expect(comparedCosine({})).toBeUndefined();
  });
});
