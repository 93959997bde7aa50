import { expect, it } from 'vitest';
import { asWords } from '../../../src/domain/query/expression.js';

it('a word whose letters are folded is looked for in both forms, another one in its own', () => {
  const terms = (text: string, prefix = false) => ({
    kind: 'terms' as const,
    terms: [{ text, prefix }],
  });
  const both = {
    kind: 'terms' as const,
    terms: ['ωμέγα', 'otter'].map((text) => ({ text, prefix: false })),
  };
  expect(asWords(both)).toEqual({
    kind: 'and',
    operands: [{ kind: 'or', operands: [terms('ωμέγα'), terms('ωμεγα')] }, terms('otter')],
  });
});
