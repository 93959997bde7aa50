import { beforeEach, describe, expect, it } from 'vitest';
import { rewrittenNote, searchInOtherWords } from '../../../src/app/search/other-words.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';

const QUESTION = { query: 'locks', rewrite: true };

let logger: SilentLogger;
let calls: unknown[];
let rewriteQuery: (query: string) => Promise<string>;
let isAvailable: (() => boolean) | undefined;

beforeEach(() => {
  logger = new SilentLogger();
  calls = [];
  isAvailable = undefined;
  rewriteQuery = async (query) => `${query} and latches`;
});

/** Searches for a question whose best results have this relevance; says what is found, by which searches. */
async function search(asked: object, relevance: readonly number[]) {
  const found = { arranged: { ranked: relevance.map((one) => ({ relevance: one })) } };
  const result = await searchInOtherWords(
    { ...QUESTION, ...asked } as typeof QUESTION,
    {
      queryRewriter: { rewriteQuery: (query: string) => rewriteQuery(query), isAvailable },
      clock: new FixedClock(),
      logger,
      search: async (request: object) => {
        calls.push(request);
        return found;
      },
      count: async (one: object) => {
        calls.push(one === found ? 'counted' : one);
      },
    } as never,
  );
  expect(result.found).toBe(found);
  return result.words;
}

describe('a question whose answer is weak', () => {
  it.each([[[]], [[0.4, 0.3]]])('is asked in other words: %j', async (relevance) => {
    expect(await search({}, relevance)).toBe('locks and latches');
    expect(calls).toEqual([
      { ...QUESTION, retrievals: 'uncounted' },
      { ...QUESTION, also: 'locks and latches' },
    ]);
  });

  it.each([
    ['the caller does not allow it', { rewrite: false }],
    ['the caller gave other words', { also: 'latches' }],
  ])('is asked once if %s', async (_, asked) => {
    expect(await search(asked, [])).toBeUndefined();
    expect(calls).toEqual([{ ...QUESTION, ...asked }]);
  });

  it('is asked in other words if those of the caller are blank', async () => {
    expect(await search({ also: ' \n' }, [])).toBe('locks and latches');
  });

  it('is asked once if no language model is available', async () => {
    isAvailable = () => false;
    expect(await search({}, [])).toBeUndefined();
    expect(calls).toEqual([QUESTION]);
    isAvailable = () => true;
    expect(await search({}, [])).toBe('locks and latches');
  });

  it('keeps its answer if the language model fails, which the log says', async () => {
    rewriteQuery = () => Promise.reject(new Error('It is busy.'));
    expect(await search({}, [])).toBeUndefined();
    expect(calls).toEqual([{ ...QUESTION, retrievals: 'uncounted' }, 'counted']);
    const message = 'A query could not be rewritten.';
    expect(logger.entries).toEqual([{ level: 'warn', message, fields: { reason: 'It is busy.' } }]);
  });
});

it.each([
  [{}, ['counted']],
  [{ retrievals: 'counted' }, ['counted']],
  [{ retrievals: 'uncounted' }, []],
])(
  'a question whose answer is good is asked once, and counted unless told otherwise: %j',
  async (asked, counted) => {
    expect(await search(asked, [0.9, 0.1])).toBeUndefined();
    expect(calls).toEqual([{ ...QUESTION, retrievals: 'uncounted' }, ...counted]);
  },
);

it('the remark about other words shows them on one line', () => {
  expect(rewrittenNote('latches\nand mutexes')).toEqual({
    code: 'rewritten',
    sentence:
      'The answer was weak, so a language model added other words for the question: latches and mutexes',
  });
});
