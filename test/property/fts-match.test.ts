import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { toFtsMatch } from '../../src/adapters/sqlite/keyword/match-list.js';
import type { Expression, Term } from '../../src/domain/query/expression.js';
import { searchTexts } from '../fakes/naive-full-text-search.js';
import { anyText, Fts5Table, nearlyFts5, texts } from '../support/chunks-in-fts5.js';
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

  it('finds and scores exactly as the memory backend does, for any expression', () => {
    fc.assert(
      fc.property(texts, expressions(termText), (documents, expression) => {
        table.fill(documents);
        const naive = searchTexts(documents, expression)
          .map(({ text, relevance }) => ({ place: documents.indexOf(text), score: -relevance }))
          .toSorted((a, b) => a.place - b.place);
        const found = table.match(toFtsMatch(expression)).toSorted((a, b) => a.place - b.place);
        expect(found.map((hit) => hit.place)).toEqual(naive.map((hit) => hit.place));
        if (!hasPlainScore(expression)) return;
        for (const [i, { score }] of found.entries()) {
          expect(score).toBeCloseTo(naive[i]?.score ?? Number.NaN, 9);
        }
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

/** Under a NOT that is not the whole query FTS5 may score terms of its unwanted side. */
function hasPlainScore(expression: Expression): boolean {
  const isFree = (part: Expression): boolean =>
    part.kind === 'terms' || (part.kind !== 'not' && part.operands.every(isFree));
  return expression.kind === 'not'
    ? isFree(expression.wanted) && isFree(expression.unwanted)
    : isFree(expression);
}
