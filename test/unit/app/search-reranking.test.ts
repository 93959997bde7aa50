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

beforeEach(() => {
  clock = new FixedClock();
  asked = [];
  judge = async ({ documents }) => documents.map((_, place) => (place === 19 ? 1 : 0));
  const reranker: Reranker = {
    rerank: (query, signal) => {
      asked.push(query);
      return judge(query, signal);
    },
  };
  retrieve = withReranking(async () => found(25), { reranker, clock, logger: new SilentLogger() });
});

describe('a search with a reranker', () => {
  it('sorts the first 20 results by its scores, and shows where each was before', async () => {
    const { ranked, reranking } = await search();
    expect(idsOf(ranked).slice(0, 2)).toEqual(['c19', 'c0']);
    expect(idsOf(ranked).slice(20)).toEqual(UNCHANGED.slice(20));
    expect(reranking).toBe('The first 20 were reranked.');
    expect(ranked[0]).toMatchObject({ rankBefore: 20, rerankScore: 1 });
    expect(ranked[20]).not.toHaveProperty('rankBefore');
  });

  it('takes any scores, and keeps the order of equal ones', async () => {
    judge = async () => UNCHANGED.slice(0, 20).map((_, place) => -Math.floor(place / 2));
    expect(idsOf((await search()).ranked)).toEqual(UNCHANGED);
    judge = async () => UNCHANGED.slice(0, 20).map((_, place) => place);
    expect(idsOf((await search()).ranked).slice(0, 2)).toEqual(['c19', 'c18']);
  });

  it('sends the query and the text of each, heading first', async () => {
    await search();
    expect(asked[0]?.query).toBe('the query');
    expect(asked[0]?.documents).toHaveLength(20);
    expect(asked[0]?.documents[3]).toBe('Heading 3\ntext 3');
  });

  it('keeps the order where the reranker fails, and says why', async () => {
    judge = async () => {
      throw new ModelCallError('failed', 'The endpoint of the reranker responded with 500.');
    };
    const { ranked, reranking } = await search();
    expect(idsOf(ranked)).toEqual(UNCHANGED);
    expect(reranking).toMatch(/failed, so the order stays.*responded with 500/);
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

function found(count: number): Retrieved {
  return {
    query: readPlain('the query'),
    match: '"query"',
    ranked: UNCHANGED.slice(0, count).map((id, place) => ({
      chunk: { ...scored(id).chunk, id, heading: `Heading ${place}`, content: `text ${place}` },
      score: 1 / (place + 1),
    })),
    mode: 'hybrid',
    modeReason: 'Because.',
    counts: {},
  };
}
