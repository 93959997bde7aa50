import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Expression, Term } from '../../src/domain/query/expression.js';
import { toFtsMatch } from '../../src/domain/query/fts-match.js';
import { anyText, Fts5Table, nearlyFts5, texts } from '../support/chunks-in-fts5.js';
import { placesMatching } from '../support/matching-texts.js';
import { runs } from '../support/seed.js';

const termText = fc
  .array(fc.constantFrom('ab', 'abc', 'AB', 'b1', 'cd', 'é', '!!', '-', '"', ' ', ' '), {
    maxLength: 4,
  })
  .map((parts) => parts.join(''));

/** Expressions of any shape, whether or not a query text could say them. */
function expressions(text: fc.Arbitrary<string>): fc.Arbitrary<Expression> {
  const term: fc.Arbitrary<Term> = fc.record({ text, prefix: fc.boolean() });
  return fc.letrec<{ expression: Expression; terms: Expression }>((tie) => ({
    terms: fc.record({
      kind: fc.constant('terms' as const),
      terms: fc.array(term, { minLength: 1, maxLength: 3 }),
    }),
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('terms'),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        operands: fc.array(tie('expression'), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({
        kind: fc.constant('not' as const),
        wanted: tie('expression'),
        unwanted: tie('expression'),
      }),
    ),
  })).expression;
}

describe('toFtsMatch', () => {
  const table = new Fts5Table();
  afterAll(() => table.close());

  it('finds exactly the texts that the expression describes, for any expression', () => {
    fc.assert(
      fc.property(texts, expressions(termText), (documents, expression) => {
        table.fill(documents);
        const found = table.match(toFtsMatch(expression));
        expect(found).toEqual(placesMatching(documents, expression));
      }),
      runs(600),
    );
  });

  it('writes a query that SQLite accepts, for any terms', () => {
    table.fill([{ content: 'ab cd' }]);
    fc.assert(
      fc.property(expressions(fc.oneof(anyText, nearlyFts5)), (expression) => {
        expect(() => table.match(toFtsMatch(expression))).not.toThrow();
      }),
      runs(500),
    );
  });
});
