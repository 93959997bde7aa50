import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import {
  EndpointEmbedder,
  type EndpointEmbedderOptions,
} from '../../../src/adapters/openai/endpoint-embedder.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { embeddings, oddEmbeddings } from '../../support/embedding-endpoint.js';
import {
  type ModelEndpoint,
  type Reply,
  startModelEndpoint,
} from '../../support/model-endpoint.js';
import { API_KEY } from '../../support/model-endpoint-chat.js';
import * as replies from '../../support/model-endpoint-replies.js';

const NOTE = 'canary-note: use WAL mode';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

describe('an embedding endpoint', () => {
  it('is sent the texts with the model, the dimensions and the key, after a trial', async () => {
    const { embedder, endpoint } = await start(embeddings);
    await embedder.embed(NOTE);
    expect(endpoint.requests).toHaveLength(2);
    const { path, body, headers } = endpoint.requests[1] as (typeof endpoint.requests)[number];
    expect(path).toBe('/v1/embeddings');
    expect(body).toEqual({ model: 'small-3', input: [NOTE], dimensions: 384 });
    expect(headers['authorization']).toBe(`Bearer ${API_KEY}`);
    expect(embedder.model).toBe('small-3');
  });

  it('is sent at most 64 texts a call, an empty one as a blank, and 8,000 characters of each', async () => {
    const { embedder, endpoint } = await start(embeddings);
    const texts = ['', 'x'.repeat(9000), ...Array.from({ length: 150 }, (_, i) => `text ${i}`)];
    expect(await embedder.embedBatch(texts)).toHaveLength(152);
    const sent = endpoint.requests.slice(1).map(({ body }) => body['input'] as readonly string[]);
    expect(Math.max(...sent.map((list) => list.length))).toBeLessThanOrEqual(64);
    expect(sent.flat()).toEqual([' ', 'x'.repeat(8000), ...texts.slice(2)]);
  });
});

describe('an embedding endpoint that', () => {
  const odd = (make: (vector: readonly number[]) => unknown) => oddEmbeddings(make);
  const tooMany: Reply = replies.json({
    data: Array(3).fill({ embedding: Array(384).fill(1) }),
  });

  it.each<[string, Reply, RegExp]>([
    ['answers 500', replies.status(500), /responded with 500/],
    ['answers 401', replies.status(401), /check the key/],
    ['answers 404', replies.status(404), /the name of the model/],
    ['redirects', replies.redirectTo('http://127.0.0.1:1/v1'), /redirects are not followed/],
    ['hangs', replies.hang, /did not respond in time/],
    ['answers HTML', replies.html, /not JSON/],
    ['sends 10 MB', replies.huge(10 * 1024 * 1024), /longer than/],
    ['sends too many', tooMany, /exactly 1 embeddings/],
    ['sends none', replies.json({ data: [] }), /exactly 1 embeddings/],
    [
      'sends another place',
      replies.json({ data: [{ index: 7, embedding: Array(384).fill(1) }] }),
      /no embedding for/,
    ],
    ['sends 1,536 values', odd(() => Array(1536).fill(1)), /1536 values instead of 384/],
    ['sends no list', odd(() => 'AAAA'), /not a list/],
    ['sends NaN', odd((vector) => [...vector.slice(1), null]), /not finite/],
    ['sends zeros', odd(() => Array(384).fill(0)), /is zero/],
  ])('%s is failed, with a sentence, and left alone for a second', async (_, reply, sentence) => {
    const { embedder, endpoint, clock, logger } = await start(reply, {
      timeoutMs: /in time/.test(sentence.source) ? 80 : 10_000,
    });
    await expect(embedder.embed(NOTE)).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(embedder.status().state).toBe('failed');
    expect(embedder.status().failure).toMatch(sentence);
    await expect(embedder.embedBatch([NOTE])).rejects.toThrow(/tried again in 1 s/);
    expect(endpoint.requests).toHaveLength(1);
    expect(logger.messages('warn')).toEqual(['The embedding endpoint failed.']);
    expect(inspect({ logger, embedder }, { depth: 9 })).not.toContain(API_KEY);
    endpoint.answerWith(embeddings);
    clock.advance(1000);
    expect(await embedder.embed(NOTE)).toHaveLength(384);
    expect(embedder.status().state).toBe('ready');
  });

  it('refuses connections is failed, and asked again later', async () => {
    const { embedder, endpoint } = await start(embeddings);
    await endpoint.close();
    await expect(embedder.embed(NOTE)).rejects.toThrow(/ECONNREFUSED/);
    expect(embedder.isReady()).toBe(false);
  });

  it('asks for a pause is given it', async () => {
    const { embedder, endpoint, clock } = await start(embeddings);
    await embedder.embed(NOTE);
    endpoint.answerWith(replies.throttled('30'));
    await expect(embedder.embedBatch([NOTE])).rejects.toThrow(/responded with 429/);
    expect(embedder.isReady()).toBe(false);
    clock.advance(29_999);
    await expect(embedder.embed(NOTE)).rejects.toThrow(/tried again in 1 s/);
    expect(endpoint.requests).toHaveLength(3);
  });

  it('is given up by a search is not held to have failed', async () => {
    const { embedder, endpoint } = await start(embeddings);
    await embedder.embed(NOTE);
    endpoint.answerWith(replies.hang);
    const waiting = new AbortController();
    const call = embedder.embed(NOTE, waiting.signal);
    waiting.abort();
    await expect(call).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(embedder.isReady()).toBe(true);
  });
});

async function start(reply: Reply, options: Partial<EndpointEmbedderOptions> = {}) {
  const endpoint: ModelEndpoint = await startModelEndpoint(reply);
  const clock = new FixedClock();
  const logger = new SilentLogger();
  const embedder = new EndpointEmbedder({
    baseUrl: endpoint.baseUrl,
    model: 'small-3',
    apiKey: API_KEY,
    clock,
    logger,
    ...options,
  });
  closing.push(async () => {
    await embedder.close();
    await endpoint.close();
  });
  return { embedder, endpoint, clock, logger };
}
