import { describe, expect, it } from 'vitest';
import { EndpointReranker } from '../../../src/adapters/openai/endpoint-reranker.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { endpointOfTest, type Reply } from '../../support/model-endpoint.js';
import { API_KEY } from '../../support/model-endpoint-chat.js';
import * as replies from '../../support/model-endpoint-replies.js';

const ASKED = { query: 'wal', documents: ['first', 'x'.repeat(9000), 'third'] };
const score = (index: number, relevance: number) => ({ index, relevance_score: relevance });
const scored = (...results: readonly unknown[]) => replies.json({ results });

describe('a reranker at an endpoint', () => {
  it('is sent the query and the beginnings of the texts, and its scores get their places', async () => {
    const { reranker, endpoint } = await start(scored(score(2, 0.9), score(0, -4), score(1, 7)));
    expect(await reranker.rerank(ASKED)).toEqual([-4, 7, 0.9]);
    const [{ path, body, headers } = {}] = endpoint.requests;
    expect(path).toBe('/v1/rerank');
    expect(body).toEqual({
      model: 'judge',
      query: 'wal',
      documents: ['first', 'x'.repeat(8000), 'third'],
      top_n: 3,
    });
    expect(headers?.['authorization']).toBe(`Bearer ${API_KEY}`);
  });

  it.each<[string, Reply, RegExp]>([
    ['answers 500', replies.status(500), /responded with 500/],
    ['answers HTML', replies.html, /not JSON/],
    ['has no results', replies.json({}), /no list of results/],
    ['leaves a document out', scored(score(0, 1), score(2, 1)), /each document once/],
    [
      'scores a document twice',
      scored(score(0, 1), score(1, 1), score(1, 1)),
      /each document once/,
    ],
    [
      'names a place beyond the list',
      scored(score(0, 1), score(1, 1), score(3, 1)),
      /each document/,
    ],
    ['gives no score', scored({ index: 0, relevance_score: '1' }), /no score/],
  ])('fails with a sentence where it %s', async (_, reply, sentence) => {
    const { reranker } = await start(reply);
    await expect(reranker.rerank(ASKED)).rejects.toThrow(sentence);
  });
});

async function start(reply: Reply) {
  const endpoint = await endpointOfTest(reply);
  const reranker = new EndpointReranker({
    baseUrl: endpoint.baseUrl,
    model: 'judge',
    apiKey: API_KEY,
    clock: new FixedClock(),
    signal: new AbortController().signal,
  });
  return { reranker, endpoint };
}
