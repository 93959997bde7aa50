import { describe, expect, it } from 'vitest';
import {
  exactExpression,
  exactMatches,
  exactWords,
} from '../../../src/domain/query/exact-words.js';
import { findPassage, shownWords, wordPattern } from '../../../src/domain/query/passages.js';
import { preferExact } from '../../../src/domain/ranking/scored-chunk.js';
import { chunk } from '../../support/chunks.js';

const NAMES = Array.from({ length: 9 }, (_, n) => `call${'ABCDEFGHI'[n]}x`);

describe('the exact words of a query', () => {
  it.each([
    ['where is assertSalesMiddleware used?', ['assertSalesMiddleware']],
    ['set `KNOWLEDGE_MODEL_HOST`, or not', ['KNOWLEDGE_MODEL_HOST']],
    ['open src/fn/audit-logs.ts: it fails.', ['src/fn/audit-logs.ts']],
    ['TypeError: z.record() expects', ['TypeError', 'z.record']],
    ['knowledge-store.service', ['knowledge-store.service']],
    ['a::b and "node:fs"', ['a::b', 'node:fs']],
    ['./run.sh ~/x .env', ['./run.sh', '~/x', '.env']],
    ['does a long-running job approve/reject src/a-b.ts', ['src/a-b.ts']],
    ['rate-limit', ['rate-limit']],
    ['GATA-3 fooBar', ['GATA-3', 'fooBar']],
    ['aBc U.S.Ab ab.c.d', ['U.S.Ab', 'ab.c.d']],
    ['Ünï.cö, 3a_, %%a_b%% or ~//x', ['Ünï.cö', '3a_', 'a_b', '~//x']],
    ['x=/y, U.S.A and e.g', []],
    ['fo a.b1 one two three four five', ['a.b1']],
    [NAMES.join(' '), NAMES.slice(0, 8)],
    [`a_${'b'.repeat(198)} a_${'c'.repeat(199)}`, [`a_${'b'.repeat(198)}`]],
    [`pool.size ${Array.from({ length: 20 }, (_, i) => `word${i}`).join(' ')}`, []],
    ["why don't we use Redis AND Lua, e.g. in 2026-11-26? -- ... 3.5", ['2026-11-26', '3.5']],
    ['2.1.0', ['2.1.0']],
    ['what changed in 1.2.3 and v2.0.0-rc.1?', ['1.2.3', 'v2.0.0-rc.1']],
    ['meeting of 2026-03-14, 10:30.', ['2026-03-14', '10:30']],
    ['V2.1.0 or v20', ['V2.1.0', '2.1.0']],
    ['port 10.0.0.1:8080', ['10.0.0.1:8080']],
    ['42 or 2026 -- # ++', []],
    ['C++', ['C++']],
    ['is C# or F# better than g++?', ['C#', 'F#', 'g++']],
    ['(C++), "c#": notepad++.', ['C++', 'c#', 'notepad++']],
    ['grade C+++ in issue # 5 + 6', []],
    ['C++20 or g++-12', ['C++20', 'g++-12']],
    ['C', ['C']],
    ['why R and not C', ['R', 'C']],
    ['I have plan A of vitamin C for all days', []],
    ['Ｃ＃', ['C#']],
    ['版本2.1.0的变更', ['版本2.1.0的变更', '2.1.0']],
    ['使用C++的解析器', ['C++']],
    ['数据库.md', ['数据库.md']],
    ['버전 2.1.0에서', ['2.1.0에서', '2.1.0']],
    ['v12.34.56', ['v12.34.56', '12.34.56']],
    ['rev2.1.0', ['rev2.1.0']],
    ['参见./~src/a.ts文件', ['参见./~src/a.ts文件', 'src/a.ts']],
    ['why is BC or CB bad', []],
    ['BC or CB', []],
    ['__ or ./_', []],
  ])('of %j are %j', (text, expected) => {
    expect(exactWords(text)).toEqual(expected);
  });

  it('are looked for by all of their parts', () => {
    const terms = (text: string) => ({ kind: 'terms', terms: [{ text, prefix: false }] });
    const operands = [terms('a b c'), terms('fooBar')];
    expect(exactExpression(['a_b.c', 'fooBar'])).toEqual({ kind: 'or', operands });
  });
});

describe('an exact word', () => {
  const text = (content: string, rest = {}) => chunk('docs/a.md', 0, { content, ...rest });

  it.each([
    ['pool.ts', text('see src/db/pool.ts:40')],
    ['maxSize', text('x', { heading: 'The MAXSIZE of it' })],
    ['a_b', text('a_b.c')],
    ['docs/a.md', text('x')],
    ['a.md', text('x')],
    ['docs/a', text('x')],
    ['docs/a.b', text('x', { sourceFile: 'docs/a.b.md' })],
    ['2.1.0', text('## [2.1.0](x) - 2026')],
    ['2.1.0', text('since v2.1.0, and 2.1.')],
    ['1.2.0', text('from 1.2.0-1.3.0')],
    ['1.2.0', text('10.1.2.0 or 1.2.0:80')],
    ['2026-03-14', text('on 2026-03-14.')],
    ['2026-03-14', text('at 2026-03-14T10:30Z')],
    ['C++', text('modern c++, of course')],
    ['C++', text('C++17')],
    ['C#', text('(C#)')],
    ['C', text('in C, of course')],
    ['C++20', text('since C++20.')],
    ['2.1.0', text('版本2.1.0的变更')],
    ['2.1.0', text('2.1.0에서')],
    ['maxSize', text('参数maxSize的值')],
    ['2026-03-14', text('x at 2026-03-14t1')],
    ['2.1.0', text('(v2.1.0)')],
    ['a_b', text('a_b+c')],
    ['a_b', text('from a_b')],
    ['C', text('C-+')],
    ['C++', text('C++ #1')],
    ['2.1.0', text('v2.1.0 is out')],
    ['2.1.0', text('It is 2.1.0.')],
    ['1.2.3', text('版 １．２．３ 版')],
    ['naïve-bayes.py', text('in naive-bayes.py')],
    ['größe.ts', text('in GRÖSSE.TS')],
    ['caf\u00e9.md', text('in cafe\u0301.md')],
  ])('%s is held', (word, held) => expect(exactMatches([word], held)).toBe(1));

  it.each([
    ['pool.ts', text('pool.tsx and pool ts')],
    ['a_b', text('a_b_c, xa_b')],
    ['ocs/a.md', text('x')],
    ['2.1.0', text('[1.2.10], [2.10.0], 2 1 0, 2.1.0.4, 1.2.1.0, 12.1.0, 2.1.01')],
    ['1.2.3', text('rev1.2.3 1.2.3rc')],
    ['2026-03-14', text('2026-03-141 14-03-2026 2026-03-14th')],
    ['C++', text('C, C#, C+ and objc++')],
    ['C#', text('C and F#')],
    ['C', text('C++, C#, ABC and cd')],
    ['C++20', text('C++17, C20 and C++2011')],
    ['2.1.0', text('版本12.1.0的变更')],
    ['2.1.0', text('va2.1.0 and vv2.1.0')],
    ['2026-03-14', text('2026-03-14-1')],
    ['here', text('a text without a heading')],
  ])('%s is not held', (word, held) => expect(exactMatches([word], held)).toBe(0));
});

it('chunks with more exact words come first, others keep their order, and scores stay', () => {
  const contents = ['a.b c.d', 'none', 'a.b', 'c.d', 'c.d a.b'];
  const ranked = contents.map((content, i) => ({
    chunk: chunk('x', i, { content }),
    score: 5 - i,
  }));
  const preferred = preferExact(ranked, ['a.b', 'c.d']);
  expect(preferred.map((one) => one.chunk.content)).toEqual([
    'a.b c.d',
    'c.d a.b',
    'a.b',
    'c.d',
    'none',
  ]);
  expect(preferred.map(({ score }) => score)).toEqual([5, 1, 3, 2, 4]);
});

it.each([
  [12, 10, 'first'],
  [12, 11, 'in its place'],
  [60, 12, 'first'],
  [60, 13, 'in its place'],
])('of %i chunks, %i that hold a word come %s', (count, holders, place) => {
  const ranked = Array.from({ length: count }, (_, i) => ({
    chunk: chunk('x', i, { content: i < count - holders ? 'none' : 'a.b' }),
    score: count - i,
  }));
  expect(preferExact(ranked, ['not.held'])).toBe(ranked);
  const [first] = preferExact(ranked, ['a.b']);
  expect(first?.chunk.content).toBe(place === 'first' ? 'a.b' : 'none');
});

describe('the passage that is shown', () => {
  const filler = 'Some other sentence about tests of tests. '.repeat(20);

  it('is the literal match of an exact word', () => {
    const text = `The knowledge model host. ${filler} Set KNOWLEDGE_MODEL_HOST to it.`;
    expect(findPassage(text, 'KNOWLEDGE_MODEL_HOST model')).toBe(
      text.indexOf('KNOWLEDGE_MODEL_HOST'),
    );
  });

  it('is where the rare words of the query are', () => {
    const text = `Tests. ${filler} Run the unit tests by npm. ${filler}`;
    expect(findPassage(text, 'how do I run only the unit tests')).toBe(
      text.indexOf('Run the unit'),
    );
  });

  it('leads to the words that are rare among the results', () => {
    const text = `${'Flags are set in the file. '.repeat(4)}${'x '.repeat(200)}\nThe timeout is set apart.`;
    const among = [text, 'Flags are set here.', 'Flags are set there.', 'How flags are set.'];
    const query = 'flags set timeout';
    expect(findPassage(text, query, among)).toBe(text.indexOf('timeout'));
  });

  it('leads to the word that fewer of the results contain', () => {
    const text = `Flags ${'x '.repeat(150)} timeout`;
    expect(findPassage(text, 'flags timeout', [text, 'A flag.', 'Flags.'])).toBe(
      text.indexOf('timeout'),
    );
  });

  it.each([
    ['a_b or c_d', `none, then c_d and a_b`, 'c_d'],
    ['a_b or c_d', 'none, then c_d', 'c_d'],
    ['a_b pool', 'The pool.', 'pool'],
    ['cache pool', 'The pool of the cache.', 'pool'],
    ['tests unit', `Tests of tests. ${'x '.repeat(150)} Each unit.`, 'unit'],
    ['the pool', `A pool. ${'x '.repeat(150)} A pool.`, 'pool'],
    ['pool size', `pool ${'x '.repeat(97)} size ${'x '.repeat(50)} pool`, 'size'],
    ['pool', `pool ${'x '.repeat(97)} pool`, 'pool'],
  ])('for %j in %j begins at the first %j', (query, text, word) => {
    expect(findPassage(text, query)).toBe(text.indexOf(word));
  });

  it.each([
    ['configuring', 'configure, configuration, config', ['configure']],
    ['test', 'tests, Testing and a contest', ['tests', 'Testing']],
    ['run', 'run, RUN, runs', ['run', 'RUN']],
    ['知识', '知识库的知识', ['知识', '知识']],
  ])('has the word %j in %j as %j', (word, text, expected) => {
    expect(text.match(wordPattern(word))).toEqual(expected);
  });

  it('is nowhere in a text without the words, and no stop word is looked for or marked', () => {
    expect(findPassage('how do the others', 'how do I test')).toBeUndefined();
    expect(shownWords('how do I test the pool')).toEqual(['test', 'pool']);
    expect(shownWords('how do I')).toEqual([]);
    expect(shownWords('is the key of a note kept from git')).toEqual([
      'key',
      'note',
      'kept',
      'git',
    ]);
    expect(shownWords('from')).toEqual(['from']);
  });
});
