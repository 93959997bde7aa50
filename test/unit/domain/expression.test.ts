import { describe, expect, it } from 'vitest';
import { QUERY_MAX_TERMS } from '../../../src/domain/limits.js';
import {
  asBigrams,
  asWords,
  type Expression,
  hasTermsInRuns,
} from '../../../src/domain/query/expression.js';
import { allWords, anyInformativeWord } from '../../../src/domain/query/query.js';

const term = (text: string, rest = {}): Expression => ({
  kind: 'terms',
  terms: [{ text, prefix: false, ...rest }],
});
const plain = term('otter');
const too = term('用户认证', { inRun: 'too' });
const only = term('用户', { inRun: 'only' });

describe('an expression of Chinese, Japanese or Korean words', () => {
  it('looks for them as words and inside runs, and for their bigrams inside runs alone', () => {
    expect(allWords(['otter', '用户认证'])).toEqual({
      kind: 'terms',
      terms: [
        { text: 'otter', prefix: false },
        { text: '用户认证', prefix: false, inRun: 'too' },
      ],
    });
    expect(anyInformativeWord(['otter', '用户认证'])).toEqual({
      kind: 'or',
      operands: [
        plain,
        too,
        only,
        term('户认', { inRun: 'only' }),
        term('认证', { inRun: 'only' }),
      ],
    });
  });

  it('looks for their other words too, once, unless these are stop words', () => {
    expect(anyInformativeWord(['用户Otter认证', 'OTTER', '水the'])).toMatchObject({
      operands: [
        term('用户Otter认证', { inRun: 'too' }),
        term('OTTER'),
        term('水the', { inRun: 'too' }),
        only,
        term('认证', { inRun: 'only' }),
        term('水', { inRun: 'only' }),
      ],
    });
    expect(anyInformativeWord(['水otter'])).toEqual({
      kind: 'or',
      operands: [term('水otter', { inRun: 'too' }), term('水', { inRun: 'only' }), plain],
    });
  });

  it('has a bounded number of bigrams', () => {
    const letters = Array.from({ length: 100 }, (_, i) => String.fromCodePoint(0x4e00 + i));
    const expression = anyInformativeWord([letters.join('')]);
    expect(expression).toMatchObject({ operands: { length: 1 + QUERY_MAX_TERMS } });
  });

  it('is known by any term inside runs that it wants', () => {
    expect(hasTermsInRuns(plain)).toBe(false);
    expect(hasTermsInRuns({ kind: 'or', operands: [plain, too] })).toBe(true);
    expect(hasTermsInRuns({ kind: 'not', wanted: plain, unwanted: too })).toBe(false);
  });

  it('leaves out, among whole words, what is only inside runs', () => {
    const mixed: Expression = {
      kind: 'terms',
      terms: [
        ...(too.kind === 'terms' ? too.terms : []),
        ...(only.kind === 'terms' ? only.terms : []),
      ],
    };
    const nested: Expression = { kind: 'and', operands: [only] };
    expect(asWords({ kind: 'or', operands: [plain, too, only, mixed, nested] })).toEqual({
      kind: 'or',
      operands: [plain, too, mixed, nested],
    });
    expect(asWords({ kind: 'and', operands: [only] })).toEqual({ kind: 'and', operands: [only] });
    expect(asWords(only)).toBe(only);
  });

  it('has each of its terms as a phrase of bigrams', () => {
    const phrase = term('用户 户认 认证');
    expect(asBigrams({ kind: 'or', operands: [plain, too] })).toEqual({
      kind: 'or',
      operands: [plain, phrase],
    });
    expect(asBigrams({ kind: 'not', wanted: too, unwanted: plain })).toEqual({
      kind: 'not',
      wanted: phrase,
      unwanted: plain,
    });
    expect(asBigrams({ kind: 'and', operands: [term('用')] })).toEqual({
      kind: 'and',
      operands: [{ kind: 'terms', terms: [{ text: '用', prefix: true }] }],
    });
  });
});
