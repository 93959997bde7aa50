import { beforeEach, describe, expect, it } from 'vitest';
import { toAnswer } from '../../../src/app/search/answer.js';
import type { AnswerContext } from '../../../src/app/search/answer-notes.js';
import { RerankingRetriever } from '../../../src/app/search/reranking-retriever.js';
import type { RetrievalRequest, Retrieved } from '../../../src/app/search/retriever.js';
import { ModelCallError } from '../../../src/domain/errors.js';
import { readPlain } from '../../../src/domain/query/query.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import type { Reranker, RerankQuery } from '../../../src/ports/driven/reranker.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { scored } from '../../support/chunks-ranked.js';

const CONTEXT: Omit<AnswerContext, 'request'> = {
  projectPath: '/project',
  choosesRanking: false,
  isFiltered: false,
};
const UNCHANGED = Array.from({ length: 25 }, (_, place) => `c${place}`);
let clock: FixedClock;
let asked: RerankQuery[];
let judge: Reranker['rerank'];
let retriever: RerankingRetriever;

beforeEach(() => {
  clock = new FixedClock();
  asked = [];
  judge = async ({ documents }) => documents.map((_, place) => (place === 19 ? 1 : 0));
  const reranker: Reranker = {
    isAvailable: () => true,
    rerank: (query, signal) => {
      asked.push(query);
      return judge(query, signal);
    },
  };
  const inner = { retrieve: async () => found(25) };
  retriever = new RerankingRetriever(inner, { reranker, clock, logger: new SilentLogger() });
});

describe('a search with a reranker', () => {
  it('orders the first 20 results again, and says so for each', async () => {
    const { results, explanation } = await search();
    expect(results.slice(0, 2).map(({ chunk }) => chunk.id)).toEqual(['c19', 'c0']);
    expect(results.slice(20).map(({ chunk }) => chunk.id)).toEqual(UNCHANGED.slice(20));
    expect(explanation.reranking).toBe('The first 20 were ordered again.');
    expect(explanation.results[0]).toMatchObject({ id: 'c19', rankBefore: 20, rerankScore: 1 });
    expect(explanation.results[20]).not.toHaveProperty('rankBefore');
  });

  it('sends the query and the text of each, heading first', async () => {
    await search();
    expect(asked[0]?.query).toBe('the query');
    expect(asked[0]?.documents).toHaveLength(20);
    expect(asked[0]?.documents[3]).toBe('Heading 3\ntext 3');
  });

  it('keeps the order where the reranker fails, and leaves it alone after three failures', async () => {
    judge = async () => {
      throw new ModelCallError('failed', 'The endpoint of the reranker responded with 500.');
    };
    for (let i = 0; i < 3; i += 1) {
      const { results, explanation } = await search();
      expect(results.map(({ chunk }) => chunk.id)).toEqual(UNCHANGED);
      expect(explanation.reranking).toMatch(/failed, so the order stays.*responded with 500/);
    }
    expect((await search()).explanation.reranking).toMatch(/left alone/);
    expect(asked).toHaveLength(3);
    clock.advance(1000);
    await search();
    expect(asked).toHaveLength(4);
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
    expect((await answer).explanation.reranking).toMatch(/longer than 800 ms/);
    expect(ended).toBe(true);
  });

  it('takes the order of an unproven one for the first query alone, and shows it for the others', async () => {
    expect((await search()).results[0]?.chunk.id).toBe('c19');
    const { results, explanation } = await search('another query');
    expect(results.map(({ chunk }) => chunk.id)).toEqual(UNCHANGED);
    expect(explanation.reranking).toMatch(/has not shown yet/);
    expect(explanation.results[19]).toMatchObject({ id: 'c19', rankBefore: 20, rerankScore: 1 });
    expect((await search()).results[0]?.chunk.id).toBe('c19');
  });
});

async function search(text = 'the query') {
  const budget = { maxResults: 50, maxTokens: 10_000 };
  const request = { ...budget, text, settings: DEFAULT_SETTINGS } as RetrievalRequest;
  const project = {} as Parameters<RerankingRetriever['retrieve']>[0];
  return toAnswer(await retriever.retrieve(project, request), { ...CONTEXT, request });
}

function found(count: number): Retrieved {
  return {
    query: readPlain('the query'),
    ranked: UNCHANGED.slice(0, count).map((id, place) => ({
      chunk: {
        ...scored(id).chunk,
        id,
        heading: `Heading ${place}`,
        content: `text ${place}`,
      },
      score: 1 / (place + 1),
    })),
    mode: 'hybrid',
    modeReason: 'Because.',
    counts: {},
  };
}
