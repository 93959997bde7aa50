import { describe, expect, it } from 'vitest';
import { exactMatches, exactWords } from '../../../src/domain/query/exact-words.js';
import { passageIn, shownWords } from '../../../src/domain/query/passages.js';
import { preferExact } from '../../../src/domain/ranking/scored-chunk.js';
import { chunk } from '../../support/chunks.js';

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
    [`pool.size ${Array.from({ length: 20 }, (_, i) => `word${i}`).join(' ')}`, []],
    ["why don't we use Redis AND Lua, e.g. in 2026-11-26? -- ... 3.5", []],
  ])('of %j are %j', (text, expected) => {
    expect(exactWords(text)).toEqual(expected);
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
  ])('%s is held', (word, held) => expect(exactMatches([word], held)).toBe(1));

  it.each([
    ['pool.ts', text('pool.tsx and pool ts')],
    ['a_b', text('a_b_c, xa_b')],
    ['ocs/a.md', text('x')],
  ])('%s is not held', (word, held) => expect(exactMatches([word], held)).toBe(0));
});

it('chunks with more exact words come first, others keep their order, and scores follow', () => {
  const contents = ['none', 'a.b', 'c.d', 'a.b c.d', 'nothing'];
  const ranked = contents.map((content, i) => ({
    chunk: chunk('x', i, { content }),
    score: 5 - i,
  }));
  const preferred = preferExact(ranked, ['a.b', 'c.d']);
  expect(preferred.map((one) => one.chunk.content)).toEqual([
    'a.b c.d',
    'a.b',
    'c.d',
    'none',
    'nothing',
  ]);
  const scores = preferred.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

describe('the passage that is shown', () => {
  const filler = 'Some other sentence about tests of tests. '.repeat(20);

  it('is the literal match of an exact word', () => {
    const text = `The model host. ${filler} Set KNOWLEDGE_MODEL_HOST to it.`;
    expect(passageIn(text, 'KNOWLEDGE_MODEL_HOST model')).toBe(
      text.indexOf('KNOWLEDGE_MODEL_HOST'),
    );
  });

  it('is where the rare words of the query stand', () => {
    const text = `Tests. ${filler} Run the unit tests by npm. ${filler}`;
    expect(passageIn(text, 'how do I run only the unit tests')).toBe(text.indexOf('Run the unit'));
  });

  it('is nowhere in a text without the words, and no stop word is looked for or marked', () => {
    expect(passageIn('how do the others', 'how do I test')).toBeUndefined();
    expect(shownWords('how do I test the pool')).toEqual(['test', 'pool']);
    expect(shownWords('how do I')).toEqual([]);
  });
});
