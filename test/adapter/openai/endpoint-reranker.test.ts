import { afterEach, describe, expect, it } from 'vitest';
import { EndpointReranker } from '../../../src/adapters/openai/endpoint-reranker.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { type Reply, startModelEndpoint } from '../../support/model-endpoint.js';
import { API_KEY } from '../../support/model-endpoint-chat.js';
import * as replies from '../../support/model-endpoint-replies.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const ASKED = { query: 'wal', documents: ['first', 'x'.repeat(9000), 'third'] };
const scored = (...results: readonly unknown[]) => replies.json({ results });

describe('a reranker at an endpoint', () => {
  it('is sent the query and the beginnings of the texts, and its scores get their places', async () => {
    const judged = { index: 2, relevance_score: 0.9 };
    const { reranker, endpoint } = await start(scored(judged, { index: 0, relevance_score: -4 }));
    expect(await reranker.rerank(ASKED)).toEqual([-4, undefined, 0.9]);
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
    ['has no results', scored(), /no list of results/],
    ['names a place beyond the list', scored({ index: 3, relevance_score: 1 }), /no place/],
    ['gives no score', scored({ index: 0, relevance_score: '1' }), /no score/],
  ])('fails with a sentence where it %s', async (_, reply, sentence) => {
    const { reranker } = await start(reply);
    await expect(reranker.rerank(ASKED)).rejects.toThrow(sentence);
  });
});

async function start(reply: Reply) {
  const endpoint = await startModelEndpoint(reply);
  const stopping = new AbortController();
  const reranker = new EndpointReranker({
    baseUrl: endpoint.baseUrl,
    model: 'judge',
    apiKey: API_KEY,
    clock: new FixedClock(),
    signal: stopping.signal,
  });
  closing.push(async () => {
    stopping.abort();
    await endpoint.close();
  });
  return { reranker, endpoint };
}
