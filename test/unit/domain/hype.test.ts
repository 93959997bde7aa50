import { describe, expect, it } from 'vitest';
import { comparedCosine } from '../../../src/domain/ranking/fusion.js';

describe('the cosine that a chunk is ranked by', () => {
  it('is the better one, a question counting 0.05 less than a text', () => {
    expect(comparedCosine({ content: 0.5, questions: 0.9 }, 'better')).toBeCloseTo(0.85, 12);
    expect(comparedCosine({ content: 0.87, questions: 0.9 }, 'better')).toBe(0.87);
    expect(comparedCosine({ content: 0.8, questions: 0.2 }, 'better')).toBe(0.8);
  });

  it('is that of the questions alone where they stand in for the text', () => {
    expect(comparedCosine({ content: 0.9, questions: 0.1 }, 'instead')).toBe(0.1);
    expect(comparedCosine({ content: 0.9, questions: 0 }, 'instead')).toBe(0);
    expect(comparedCosine({ content: 0.9 }, 'instead')).toBe(0.9);
  });

  it('is that of the text where questions are off', () => {
    expect(comparedCosine({ content: 0.1, questions: 0.9 }, 'off')).toBe(0.1);
    expect(comparedCosine({ questions: 0.9 }, 'off')).toBeUndefined();
  });

  it('is what there is where one is missing', () => {
    expect(comparedCosine({ content: -0.3 }, 'better')).toBe(-0.3);
    expect(comparedCosine({ questions: 0.4 }, 'better')).toBeCloseTo(0.35, 12);
    expect(comparedCosine({ questions: -0.99 }, 'better')).toBeCloseTo(-1.04, 12);
  });

  it.each(['better', 'instead', 'off'] as const)(
    'is absent without a vector (%s)',
    (comparison) => {
      expect(comparedCosine({}, comparison)).toBeUndefined();
    },
  );
});
