import { describe, expect, it } from 'vitest';
import { QUERY_MAX_TERMS } from '../../../src/domain/limits.js';
import {
  asWords,
  type Expression,
  sideReading,
  type Term,
  wantedTerms,
} from '../../../src/domain/query/expression.js';
import {
  allWords,
  anyInformativeWord,
  anyWordOrPart,
  readPlain,
  readQuery,
  splitWords,
} from '../../../src/domain/query/query.js';

function siblings(group: string, count: number, between = ' OR ', around = ''): string {
  const [open = '', close = ''] = around;
  return open + Array(count).fill(group).join(between) + close;
}

describe('readQuery, structured', () => {
  it.each([
    ['"exact phrase"', '"exact phrase"'],
    ['a AND b', '(a & b)'],
    ['a OR b', '(a | b)'],
    ['a NOT b', '(a - b)'],
    ['(a)', 'a'],
    ['migrat*', 'migrat*'],
    ['"say ""hi"""', '"say "hi""'],
    ['a b OR c', '(a+b | c)'],
    ['a AND b OR c AND d', '((a & b) | (c & d))'],
    ['a OR b NOT c AND d', '(a | ((b - c) & d))'],
    ['a NOT b NOT c', '((a - b) - c)'],
    ['(a OR b) AND c', '((a | b) & c)'],
    ['a"b c"d', 'a+"b c"+d'],
    ['ANDES AND and', '(ANDES & and)'],
    ['"AND" OR a', '(AND | a)'],
    ['größe OR snake_case', '(größe | snake_case)'],
    ['WAL AND Mode', '(WAL & Mode)'],
    ['ALPHA NOT BETA', '(ALPHA - BETA)'],
    ['"ALPHA BETA"', '"ALPHA BETA"'],
    ['ALPHA*', 'ALPHA*'],
    ['数据库 AND 查询', '(数据库 & 查询)'],
    ['"404"', '404'],
    ['"!!!" a', '!!!+a'],
    ['"!!!"* a', '!!!*+a'],
    [siblings('(a)', 17), siblings('a', 17, ' | ', '()')],
  ])('reads %s', (text, expected) => {
    const query = readQuery(text);
    expect(query.kind === 'structured' ? show(query.expression) : query).toBe(expected);
  });
});

describe('readQuery, of composed and decomposed letters', () => {
  it.each(['한국어', 'ελληνικά AND "naïveté"'])('reads %s as the same', (text) => {
    expect(readQuery(text.normalize('NFD'))).toEqual(readQuery(text.normalize('NFC')));
  });
});

describe('readQuery, a sentence', () => {
  it.each([
    'DESIGN AND DETAILS OF WAVEGUIDES',
    'cards only show when ceremonies are enabled AND the status call succeeds',
    'cards show when ceremonies ARE enabled AND the status call succeeds',
    'why is "wal mode" slow',
    'why is wal*',
    'why is "wal mo"*',
    '"wal mode" without copies of pages',
    'writers wait IN line AND readers continue',
    'rows from disk AND memory',
    'retry if failed AND idle',
    'pool is full AND busy',
  ])('is read as words too: %s', (text) => {
    expect(readQuery(text)).toMatchObject({ kind: 'structured', plainFallback: readPlain(text) });
  });

  it('keeps its operators as words', () => {
    expect(readQuery('the cat AND dog')).toMatchObject({
      plainFallback: { words: ['the', 'cat', 'AND', 'dog'] },
    });
  });

  it.each([
    ['it holds no stop word', 'alpaca AND nowhere'],
    ['it holds no stop word', '"alpaca" nowhere'],
    ['it holds no stop word', 'wal mode AND sqlite NOT lock'],
    ['its stop words are in the quotes', 'python slow "is not none"'],
    ['no words stand side by side', 'why AND "is it"'],
    ['no words stand side by side', '"why" NOT is'],
    ['no words stand side by side', 'the OR (which AND what)'],
    ['it is one quotation', '"why is it"'],
  ])('is not what an expression is, where %s: %s', (_, text) => {
    const query = readQuery(text);
    expect(query.kind).toBe('structured');
    expect(query).not.toHaveProperty('plainFallback');
  });
});

describe('readQuery, plain', () => {
  it.each([
    ['how does auth work', ['how', 'does', 'auth', 'work']],
    ['gpt-4o', ['gpt', '4o']],
    ["don't", ['don', 't']],
    ['C++', ['C']],
    ['a:b', ['a', 'b']],
    ['NEAR(x)', ['NEAR', 'x']],
    ['and or not', ['and', 'or', 'not']],
    ['"unbalanced', ['unbalanced']],
    ['(a', ['a']],
    ['a)', ['a']],
    ['()', []],
    ['a AND', ['a', 'AND']],
    ['AND', ['AND']],
    ['AND*', ['AND']],
    ['a OR NOT *', ['a', 'OR', 'NOT']],
    ['NOT a', ['NOT', 'a']],
    ['(a) b', ['a', 'b']],
    ['"a" + "b"', ['a', 'b']],
    ['^"a"', ['a']],
    ['heading : "a"', ['heading', 'a']],
    ['"a"*b', ['a', 'b']],
    ['*', []],
    ['migrat *', ['migrat']],
    ['SELECT * FROM chunks', ['SELECT', 'FROM', 'chunks']],
    ['!!!', []],
    ['', []],
    ['\uD800 a\0b', ['a', 'b']],
    ['cafe\u0301', ['café']],
  ])('reads %j as words', (text, words) => {
    expect(readQuery(text)).toEqual({ kind: 'plain', words });
  });
});

describe('readQuery, caps', () => {
  const many = (count: number, text: string, joint = ' ') => Array(count).fill(text).join(joint);

  it.each([
    ['64 terms', many(64, 'ab', ' OR '), many(65, 'ab', ' OR ')],
    ['64 words in phrases', `"${many(60, 'ab', ' ')}" ab_c "d e"`, `"${many(65, 'ab', '-')}"`],
    ['nesting 16', `${'('.repeat(16)}ab${')'.repeat(16)}`, `${'('.repeat(17)}ab${')'.repeat(17)}`],
    ['2000 characters', `"ab"${' '.repeat(1996)}`, `"ab"${' '.repeat(1997)}`],
  ])('is structured up to %s', (_, within, beyond) => {
    expect(readQuery(within).kind).toBe('structured');
    expect(readQuery(beyond).kind).toBe('plain');
  });

  it.each(['x*', '"long x!"*', 'ÄRGER AND Ω*'])(
    'reads the prefix of one character in %j',
    (text) => {
      const query = readQuery(text);
      expect(query.kind).toBe('structured');
      const terms = query.kind === 'structured' ? wantedTerms(query.expression) : [];
      expect(terms.at(-1)?.prefix).toBe(true);
    },
  );

  it.each([' ', ' OR ', ' AND '])(
    'drops the stars beyond 8 between %j, not their words',
    (joint) => {
      const query = readQuery(many(10, 'ab*', joint));
      const terms = query.kind === 'structured' ? wantedTerms(query.expression) : [];
      const expected = Array.from({ length: 10 }, (_, i) => ({ text: 'ab', prefix: i < 8 }));
      expect(terms.map(({ text, prefix }) => ({ text, prefix }))).toEqual(expected);
    },
  );

  it('keeps the first 64 plain words of the first 2000 characters', () => {
    const words = Array.from({ length: 70 }, (_, i) => `w${i}`);
    expect(readQuery(words.join(' '))).toEqual({ kind: 'plain', words: words.slice(0, 64) });
    expect(readQuery(`${'-'.repeat(1998)}abc`)).toEqual({ kind: 'plain', words: ['ab'] });
  });
});

describe('the expression for plain words', () => {
  it('looks for all words, each once', () => {
    expect(shown(allWords(['Auth', 'token', 'auth']))).toBe('auth+token');
    expect(allWords([])).toBeUndefined();
  });

  it('looks for any informative word, or for any word if no word is informative', () => {
    expect(shown(anyInformativeWord(['How', 'does', 'the', 'auth', 'token', 'work']))).toBe(
      '(auth | token | work)',
    );
    expect(shown(anyInformativeWord(['to', 'be', 'To']))).toBe('(To | be)');
    expect(anyInformativeWord([])).toBeUndefined();
  });

  it.each([
    ['resolveProjectRoot', '(resolveProjectRoot | resolve | Project | Root)'],
    [
      'the parseHTTPHeader fails',
      '(parseHTTPHeader | fails | parse | HTTP | Header | parseHTTPHeaderfails)',
    ],
    ['maxTokens2Limit', '(maxTokens2Limit | max | Tokens2 | Limit)'],
    ['useTheToken', '(useTheToken | use | Token)'],
    ['mRNAs ATP iOS', '(mRNAs | ATP | iOS | mRNAsATP | ATPiOS | mRNAsATPiOS)'],
    [
      'resolve project root',
      '(resolve | project | root | resolveproject | projectroot | resolveprojectroot)',
    ],
    ['the project root', '(project | root | projectroot)'],
    ['aa bb cc dd', '(aa | bb | cc | dd | aabb | bbcc | ccdd | aabbccdd)'],
    ['GATAbox', '(GATAbox)'],
    ['project 用户', '(project | 用户/too)'],
    ['one two three four five', '(one | two | three | four | five)'],
  ])('looks for the parts of %j, and for a few words as one', (text, expected) => {
    expect(shown(anyWordOrPart(splitWords(text)))).toBe(expected);
  });

  it('looks for a bounded number of parts', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const words = letters.flatMap((one) => [`see${one}Thing${one}`, `get${one}Value${one}`]);
    expect(anyWordOrPart(words)).toMatchObject({
      operands: { length: words.length + QUERY_MAX_TERMS },
    });
  });

  it('reads syntax as words if the text must be read as plain', () => {
    expect(readPlain('"a b" AND c*')).toEqual({ kind: 'plain', words: ['a', 'b', 'AND', 'c'] });
  });
});

describe('Chinese, Japanese and Korean words', () => {
  const plain = allWords(['otter']) as Expression;
  const too = allWords(['用户认证']) as Expression;
  const only = { kind: 'terms', terms: [{ text: '用户', prefix: false, inRun: 'only' }] } as const;
  const or = (...operands: readonly Expression[]): Expression => ({ kind: 'or', operands });
  const and = (...operands: readonly Expression[]): Expression => ({ kind: 'and', operands });
  const not = (wanted: Expression, unwanted: Expression): Expression => ({
    kind: 'not',
    wanted,
    unwanted,
  });

  it.each([
    [['otter', '用户认证'], '(otter | 用户认证/too | 用户/only | 户认/only | 认证/only)'],
    [
      ['用户Otter认证', 'OTTER', '水the'],
      '(用户Otter认证/too | OTTER | 水the/too | 用户/only | 认证/only | 水/only)',
    ],
    [['水otter'], '(水otter/too | 水/only | otter)'],
  ])('%j are looked for inside runs too, and their bigrams there alone', (words, any) => {
    const all = words.map((word) => (/\p{Script=Han}/u.test(word) ? `${word}/too` : word));
    if (words.length === 2) expect(shown(allWords(words))).toBe(all.join('+'));
    expect(shown(anyInformativeWord(words))).toBe(any);
  });

  it('have a bounded number of bigrams', () => {
    const letters = Array.from({ length: 100 }, (_, i) => String.fromCodePoint(0x4e00 + i));
    const expression = anyInformativeWord([letters.join('')]);
    expect(expression).toMatchObject({ operands: { length: 1 + QUERY_MAX_TERMS } });
  });

  it('leave out words that occur only inside runs', () => {
    const mixed = { kind: 'terms', terms: [...wantedTerms(too), ...only.terms] } as const;
    const nested = and(only);
    expect(asWords(or(plain, too, only, mixed, nested))).toEqual(or(plain, too, mixed, nested));
    for (const kept of [nested, only]) expect(asWords(kept)).toEqual(kept);
  });

  it('are phrases of bigrams among the side words', () => {
    const side = (expression: Expression) => shown(sideReading(expression)?.expression);
    expect(side(or(plain, too))).toBe('(otter | "用户 户认 认证")');
    expect(side(not(too, plain))).toBe('("用户 户认 认证" - otter)');
    const one = { kind: 'terms', terms: [{ text: '用', prefix: false, inRun: 'only' }] } as const;
    expect(side(and(one))).toBe('(用*)');
    expect(sideReading(expressionFor('"用户" OR otter'))).toBeUndefined();
  });
});

describe('words with spaces', () => {
  it('are searched for among the side words if only one of them is there', () => {
    const expression = expressionFor('otter AND "wal nut" NOT ott*');
    const reading = sideReading(expression);
    expect(reading?.expression).toEqual(expression);
    expect(shown(reading?.extra)).toBe('(otter | wal | nut)');
    expect(sideReading(expressionFor('"!!!"'))).toBeUndefined();
  });

  it('are normalized, but operators are not', () => {
    const ffi = 'o\ufb03ce';
    expect(readQuery(`${ffi} \uff21\u00ad\uff30`)).toEqual({
      kind: 'plain',
      words: ['office', 'AP'],
    });
    expect(shown(expressionFor(`"the ${ffi}" OR ${ffi}*`))).toBe('("the office" | office*)');
    expect(readQuery('\uff08otter\uff09 \uff02x\uff02').kind).toBe('plain');
  });
});

function expressionFor(text: string): Expression {
  const query = readQuery(text);
  if (query.kind === 'plain') throw new Error(`"${text}" is plain.`);
  return query.expression;
}

describe('wantedTermsOf', () => {
  it('returns the wanted terms from left to right', () => {
    const query = readQuery('a "b c" AND (d OR ef*) NOT g');
    const terms = query.kind === 'structured' ? wantedTerms(query.expression) : [];
    expect(terms.map((term) => term.text)).toEqual(['a', 'b c', 'd', 'ef']);
  });
});

function shown(expression: Expression | undefined): string | undefined {
  return expression && show(expression);
}

/** `+` adjacency, `&` AND, `|` OR, `-` NOT; behind `/` whether a term may or must be inside a run. */
function show(expression: Expression): string {
  switch (expression.kind) {
    case 'terms':
      return expression.terms.map(showTerm).join('+');
    case 'not':
      return `(${show(expression.wanted)} - ${show(expression.unwanted)})`;
    default:
      return `(${expression.operands.map(show).join(SIGNS[expression.kind])})`;
  }
}

const SIGNS = { and: ' & ', or: ' | ' };

function showTerm({ text, prefix, inRun }: Term): string {
  const quoted = /[\s"]/.test(text) ? `"${text}"` : text;
  return quoted + (prefix ? '*' : '') + (inRun === undefined ? '' : `/${inRun}`);
}
