import { describe, expect, it } from 'vitest';
import { allTerms, asWords, type Expression } from '../../../src/domain/query/expression.js';

const terms = (...texts: readonly string[]): Expression => ({
  kind: 'terms',
  terms: texts.map((text) => ({ text, prefix: false })),
});

const OMEGA: Expression = { kind: 'or', operands: [terms('ωμέγα'), terms('ωμεγα')] };

describe('a word whose letters are folded', () => {
  it.each<[place: string, read: Expression, asked: Expression]>([
    [
      'beside another word',
      terms('ωμέγα', 'otter'),
      { kind: 'and', operands: [OMEGA, terms('otter')] },
    ],
    [
      'on both sides of a NOT',
      { kind: 'not', wanted: terms('ωμέγα'), unwanted: terms('ωμέγα') },
      {
        kind: 'not',
        wanted: { kind: 'and', operands: [OMEGA] },
        unwanted: { kind: 'and', operands: [OMEGA] },
      },
    ],
  ])('is looked for in both forms %s', (_, read, asked) => {
    expect(asWords(read)).toEqual(asked);
  });
});

it('all terms of an expression include those that a chunk must not contain', () => {
  const wanted: Expression = { kind: 'or', operands: [terms('a', 'b c'), terms('d')] };
  const expression: Expression = { kind: 'not', wanted, unwanted: terms('e') };
  expect(allTerms(expression).map(({ text }) => text)).toEqual(['a', 'b c', 'd', 'e']);
});
