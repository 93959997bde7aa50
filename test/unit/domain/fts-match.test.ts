import { expect, it } from 'vitest';
import type { Expression } from '../../../src/domain/query/expression.js';
import { toFtsMatch } from '../../../src/domain/query/fts-match.js';

const terms = (...texts: readonly string[]): Expression => ({
  kind: 'terms',
  terms: texts.map((text) => ({ text, prefix: false })),
});
const prefix: Expression = { kind: 'terms', terms: [{ text: 'migrat', prefix: true }] };
const or: Expression = { kind: 'or', operands: [terms('a'), terms('b', 'c')] };

it.each<[match: string, expression: Expression]>([
  ['"a" "b c"', terms('a', 'b c')],
  ['"migrat" *', prefix],
  ['"say ""hi"" NEAR(x)"', terms('say "hi" NEAR(x)')],
  ['"a b"', terms('a\0b')],
  ['"a" OR "b" "c"', or],
  ['"d" AND ("a" OR "b" "c")', { kind: 'and', operands: [terms('d'), or] }],
  ['("a" OR "b" "c") NOT "migrat" *', { kind: 'not', wanted: or, unwanted: prefix }],
])('FTS5 is asked for %s', (match, expression) => {
  expect(toFtsMatch(expression)).toBe(match);
});
