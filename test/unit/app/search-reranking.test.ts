import { beforeEach, describe, expect, it } from 'vitest';
import { withReranking } from '../../../src/app/search/reranking.js';
import type { RetrievalRequest, Retrieve, Retrieved } from '../../../src/app/search/retrieval.js';
import { ModelCallError } from '../../../src/domain/errors.js';
import { readPlain } from '../../../src/domain/query/query.js';
import type { Reranker, RerankQuery } from '../../../src/ports/reranker.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { scored } from '../../support/chunks-ranked.js';

const UNCHANGED = Array.from({ length: 25 }, (_, place) => `c${place}`);
let clock: FixedClock;
let asked: RerankQuery[];
let judge: Reranker['rerank'];
let retrieve: Retrieve;
let retrieved: () => Retrieved;

beforeEach(() => {
  clock = new FixedClock();
  retrieved = () => found(25);
  asked = [];
  judge = async ({ documents }) => documents.map((_, place) => (place === 19 ? 1 : 0));
  const reranker: Reranker = {
    maxDocuments: 20,
    timeoutMs: 800,
    rerank: (query, signal) => {
      asked.push(query);
      return judge(query, signal);
    },
  };
  retrieve = withReranking(async () => retrieved(), {
    reranker,
    clock,
    logger: new SilentLogger(),
  });
});

describe('a search with a reranker', () => {
  it('orders the first 20 results by its scores and their own, and shows where each was before', async () => {
    const { ranked, reranking } = await search();
    expect(idsOf(ranked).slice(0, 2)).toEqual(['c19', 'c0']);
    expect(idsOf(ranked).slice(20)).toEqual(UNCHANGED.slice(20));
    expect(reranking).toBe('The first 20 results were reranked.');
    expect(ranked[0]).toMatchObject({ rankBefore: 20, rerankScore: 1 });
    expect(ranked[20]).not.toHaveProperty('rankBefore');
  });

  it('takes any scores, and keeps the order of equal ones', async () => {
    judge = async () => UNCHANGED.slice(0, 20).map(() => -7);
    expect(idsOf((await search()).ranked)).toEqual(UNCHANGED);
    judge = async () => UNCHANGED.slice(0, 20).map((_, place) => -1000 * place);
    expect(idsOf((await search()).ranked)).toEqual(UNCHANGED);
  });

  it.each([
    [
      [1, 0.99, 0.1],
      [0, 1, 2],
      ['c1', 'c2', 'c0'],
    ],
    [
      [1, 0.95, 0],
      [3, 2, 1],
      ['c0', 'c1', 'c2'],
    ],
    [
      [1, 0.99, 0.98],
      [0, 0, 100],
      ['c0', 'c2', 'c1'],
    ],
    [
      [2, 1.9, 1.9],
      [5, 5, 6],
      ['c2', 'c0', 'c1'],
    ],
  ])('takes half of %j and half of %j, each as standard scores', async (own, judged, order) => {
    retrieved = () => found(own.length, (place) => own[place] ?? 0);
    judge = async () => judged;
    expect(idsOf((await search()).ranked)).toEqual(order);
  });

  it.each([
    [1, 0.89],
    [10, 1],
    [-1, -1.2],
  ])('is not asked where the best score is %d and the next %d', async (...own) => {
    retrieved = () => found(own.length, (place) => own[place] ?? 0);
    const { ranked, reranking } = await search();
    expect(asked).toEqual([]);
    expect(idsOf(ranked)).toEqual(UNCHANGED.slice(0, 2));
    expect(reranking).toMatch(/clearly ahead/);
  });

  it.each([[[1]], [[1, Number.NaN]], [[1, 2, 3]], [[]]])(
    'keeps the order if the scores of two results are %j',
    async (scores) => {
      retrieved = () => found(2);
      judge = async () => scores;
      const { ranked, reranking } = await search();
      expect(idsOf(ranked)).toEqual(UNCHANGED.slice(0, 2));
      expect(reranking).toMatch(/order is unchanged/);
    },
  );

  it('sends the query and the text of each, heading first', async () => {
    await search();
    expect(asked[0]?.query).toBe('the query');
    expect(asked[0]?.documents).toHaveLength(20);
    expect(asked[0]?.documents[3]).toBe('Heading 3\ntext 3');
  });

  it('keeps the order if the reranker fails, and says why', async () => {
    judge = async () => {
      throw new ModelCallError('failed', 'The endpoint of the reranker responded with 500.');
    };
    const { ranked, reranking } = await search();
    expect(idsOf(ranked)).toEqual(UNCHANGED);
    expect(reranking).toMatch(/failed, so the order is unchanged.*responded with 500/);
  });

  it('keeps the order after 800 ms, and ends the call', async () => {
    let ended = false;
    judge = (_, signal) =>
      new Promise(() => {
        signal?.addEventListener('abort', () => {
          ended = true;
        });
      });
    const answer = search();
    await new Promise(setImmediate);
    clock.advance(800);
    expect((await answer).reranking).toMatch(/longer than 800 ms/);
    expect(ended).toBe(true);
  });
});

function search(): Promise<Retrieved> {
  const request = { profile: 'reading', text: 'the query' } as RetrievalRequest;
  return retrieve({} as Parameters<Retrieve>[0], request);
}

function idsOf(ranked: Retrieved['ranked']): readonly string[] {
  return ranked.map(({ chunk }) => chunk.id);
}

function found(
  count: number,
  scoreOf: (place: number) => number = (place) => 1 - place / 1000,
): Retrieved {
  return {
    query: readPlain('the query'),
    match: '"query"',
    ranked: UNCHANGED.slice(0, count).map((id, place) => ({
      chunk: { ...scored(id).chunk, id, heading: `Heading ${place}`, content: `text ${place}` },
      score: scoreOf(place),
    })),
    mode: 'hybrid',
    modeReason: 'Because.',
    counts: {},
  };
}
