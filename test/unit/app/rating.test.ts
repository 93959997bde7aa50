import { describe, expect, it } from 'vitest';
import type { Project } from '../../../src/app/project.js';
import { rateRetrieved } from '../../../src/app/search/rating.js';
import type { RetrievalRequest, Retrieved } from '../../../src/app/search/retrieval.js';
import { readPlain, readQuery } from '../../../src/domain/query/query.js';
import type { ScoredChunk } from '../../../src/domain/ranking/scored-chunk.js';
import { chunk } from '../../support/chunks.js';

const scored = (content: string, cosine?: number): ScoredChunk => ({
  chunk: chunk('docs/a.md', 0, { content }),
  score: 1,
  ...(cosine !== undefined && { cosine }),
});

interface Asked {
  readonly text?: string;
  readonly profile?: 'reading' | 'specified';
  readonly minRelevance?: number;
  readonly relevance?: 'wanted' | 'ignored';
  readonly also?: string;
  readonly found?: Partial<Retrieved>;
  /** What the query finds without added words. */
  readonly alone?: readonly ScoredChunk[];
}

/** The relevance of each chunk, and the requests without added words. */
async function rate(ranked: readonly ScoredChunk[], asked: Asked = {}) {
  const { text = 'locks', profile = 'reading', minRelevance, relevance, also, alone = [] } = asked;
  const repeated: RetrievalRequest[] = [];
  const keywords = {
    countChunks: async (words: readonly string[]) => ({
      chunks: 100,
      holding: words.map((word) => (word === 'rare' ? 1 : 50)),
    }),
  };
  const found = { query: readPlain(text), mode: 'hybrid', ranked, ...asked.found };
  const request = { profile, minRelevance, text, ...(also !== undefined && { also }) };
  const { ranked: rated } = await rateRetrieved(
    { store: { keywords } } as unknown as Project,
    found as Retrieved,
    {
      asked: { projectPath: '/project', query: text, profile, ...(relevance && { relevance }) },
      request: request as unknown as RetrievalRequest,
      retrieve: async (_, again) => {
        repeated.push(again);
        return { ranked: alone } as unknown as Retrieved;
      },
    },
  );
  return { relevance: rated.map((one) => one.relevance), repeated };
}

describe('the relevance of results', () => {
  const CHUNKS = [scored('locks', 0.4)];

  it.each<[string, Asked, boolean]>([
    ['for people and agents', {}, true],
    ['of a specified search only on request', { profile: 'specified' }, false],
    ['on request', { profile: 'specified', relevance: 'wanted' }, true],
    ['that shall be ignored', { profile: 'specified', relevance: 'ignored' }, false],
    ['with a least relevance', { profile: 'specified', minRelevance: 0.1 }, true],
    ['with no least relevance', { profile: 'specified', minRelevance: 0 }, false],
    ['not if only words were compared', { found: { mode: 'bm25' } }, false],
    ['not if the scale of the model is unknown', { found: { isUnscaled: true } }, false],
  ])('is computed %s', async (_, asked, isRated) => {
    const [relevance] = (await rate(CHUNKS, asked)).relevance;
    expect(typeof relevance).toBe(isRated ? 'number' : 'undefined');
  });

  it('counts rare words most', async () => {
    const chunks = [scored('the rare one', 0.4), scored('the common one', 0.4)];
    const [rare = 0, common = 1] = (await rate(chunks, { text: 'rare common' })).relevance;
    expect(rare).toBeGreaterThan(common);
    const [none, unknown] = (await rate(chunks, { text: 'and' })).relevance;
    expect(none).toBe(unknown);
  });

  it.each([
    ['reading', 'blend', true],
    ['reading', 'rrf', false],
    ['specified', 'blend', false],
  ] as const)('follows the order of %s results by %s: %s', async (profile, fusion, isFollowed) => {
    const asked = { profile, relevance: 'wanted', found: { fusion } } as const;
    const { relevance } = await rate([scored('a', 0.1), scored('locks', 0.9)], asked);
    const [first = 0, second = 0] = relevance;
    expect(second - first <= 0.051).toBe(isFollowed);
  });
});

describe('the relevance of results of added words', () => {
  const CHUNKS = [scored('locks', 0.6), scored('latches', 0.6), scored('no vector')];
  const ASKED = { text: 'locks', also: 'latches', found: { query: readPlain('locks latches') } };
  const plain = () => rate(CHUNKS, { found: ASKED.found });

  it('is that of others if the query alone finds a chunk with all words', async () => {
    const { relevance, repeated } = await rate(CHUNKS, {
      ...ASKED,
      alone: [scored('nothing'), scored('locks and latches')],
    });
    expect(relevance).toEqual((await plain()).relevance);
    expect(repeated).toEqual([{ profile: 'reading', text: 'locks', query: readPlain('locks') }]);
  });

  it('is less if the first five results of the query have only some of the words', async () => {
    const nothing = Array.from({ length: 4 }, () => scored('nothing'));
    const alone = [...nothing, scored('locks'), scored('locks and latches')];
    const [first = 0, second = 0, third] = (await rate(CHUNKS, { ...ASKED, alone })).relevance;
    const [all = 0, most = 0] = (await plain()).relevance;
    expect(first).toBeCloseTo(all * Math.SQRT1_2);
    expect(second).toBeCloseTo(most * Math.SQRT1_2);
    expect(third).toBeUndefined();
  });

  it('is that of others if the query alone finds nothing', async () => {
    expect((await rate(CHUNKS, ASKED)).relevance).toEqual((await plain()).relevance);
  });

  it('keeps the kind of the query', async () => {
    const text = '"locks" OR latches';
    const found = { query: readQuery(text) };
    const { repeated } = await rate(CHUNKS, { text, also: 'more', found });
    expect(repeated.map(({ query }) => query.kind)).toEqual(['structured']);
    const asPlain = await rate(CHUNKS, { text, also: 'more', found: { query: readPlain(text) } });
    expect(asPlain.repeated.map(({ query }) => query.kind)).toEqual(['plain']);
  });
});
