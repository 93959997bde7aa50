import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  EndpointEmbedder,
  type EndpointEmbedderOptions,
} from '../../../src/adapters/openai/endpoint-embedder.js';
import { ModelCallError } from '../../../src/domain/errors.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { embeddingOf, embeddings, oddEmbeddings } from '../../support/embedding-endpoint.js';
import { endpointOfTest, type Reply } from '../../support/model-endpoint.js';
import { API_KEY } from '../../support/model-endpoint-chat.js';
import * as replies from '../../support/model-endpoint-replies.js';

const NOTE = 'canary-note: use WAL mode';

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

describe('a local server', () => {
  const usage = { prompt_tokens: 4, total_tokens: 4 };
  const entry = (embedding: readonly number[], index: number) => ({
    object: 'embedding',
    index,
    embedding,
  });
  /** What Ollama, llama.cpp and TEI answer, with vectors of their own length. */
  const serving =
    (length: number): Reply =>
    (response, request) => {
      const texts = request.body['input'] as readonly string[];
      const vectors = texts.map((text) => [...embeddingOf(text), ...Array(length - 384).fill(0.1)]);
      const model = request.body['model'];
      return replies.json({ object: 'list', data: vectors.map(entry), model, usage })(
        response,
        request,
      );
    };

  it.each([
    ['Ollama', 'nomic-embed-text', 768, 'search_query: ', 'search_document: '],
    ['Ollama', 'embeddinggemma:300m', 768, 'task: search result | query: ', 'title: none | text: '],
    ['llama.cpp', 'Qwen3-Embedding-0.6B-Q8_0.gguf', 1024, expect.stringMatching(/^Instruct: /), ''],
    ['TEI', 'BAAI/bge-small-en-v1.5', 384, '', ''],
  ])('like %s embeds with %s', async (_, model, length, query, passage) => {
    const { embedder, endpoint, logger } = await start(serving(length), { model });
    const vector = await embedder.embed(NOTE);
    expect(vector).toHaveLength(384);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    await embedder.embedBatch([NOTE, 'another']);
    const [, asked, batch] = endpoint.requests.map(
      ({ body }) => body['input'] as readonly string[],
    );
    if (typeof query === 'string') expect(asked).toEqual([query + NOTE]);
    else expect(asked).toEqual([query]);
    expect(batch).toEqual([passage + NOTE, `${passage}another`]);
    expect(logger.messages('info')).toHaveLength(length === 384 ? 0 : 1);
  });

  it.each([
    ['nomic-embed-text-v1', 768],
    ['bge-m3', 1024],
    ['tiny', 256],
  ])('with %s, whose vectors cannot be cut, is refused with what fits', async (model, length) => {
    const { embedder } = await start(
      length < 384 ? oddEmbeddings(() => Array(length).fill(1)) : serving(length),
      { model },
    );
    await expect(embedder.embed(NOTE)).rejects.toThrow(
      new RegExp(
        `${length} values instead of 384; choose a model with 384 values.*nomic-embed-text v1.5`,
      ),
    );
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
      timeoutMs: /in time/.test(sentence.source) ? 400 : 10_000,
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

  it.each([400, 404, 413, 422])(
    'refuses a batch with %i is not paused, and a query with it gets no vector',
    async (status) => {
      const { embedder, endpoint, clock } = await start(embeddings);
      await embedder.embed(NOTE);
      endpoint.answerWith(replies.status(status));
      await expect(embedder.embedBatch([NOTE])).rejects.toBeInstanceOf(ModelCallError);
      expect(embedder.isReady()).toBe(true);
      await expect(embedder.embed(NOTE)).rejects.toMatchObject({ code: 'model_unavailable' });
      endpoint.answerWith(embeddings);
      clock.advance(1000);
      expect(await embedder.embedBatch([NOTE])).toHaveLength(1);
    },
  );

  it.each<[string, Reply]>([
    ['answers 500', replies.status(500)],
    ['answers 502', replies.status(502)],
    ['answers 503', replies.status(503)],
    ['sends NaN', odd((vector) => [...vector.slice(1), null])],
    ['sends none', replies.json({ data: [] })],
    ['sends too many', tooMany],
    ['sends 1,536 values', odd(() => Array(1536).fill(1))],
    ['answers HTML', replies.html],
    ['hangs up', (response) => void response.destroy()],
    ['hangs up in its answer', replies.closeMidBody],
    ['hangs', replies.hang],
  ])('%s for one text only refuses that text, and is not paused', async (_, reply) => {
    const poisoned: Reply = (response, request) => {
      const isPoisoned = JSON.stringify(request.body['input']).includes('poison');
      return (isPoisoned ? reply : embeddings)(response, request);
    };
    const { embedder, logger } = await start(poisoned, { timeoutMs: 2_000 });
    await expect(embedder.embedBatch([NOTE, 'poison'])).rejects.toBeInstanceOf(ModelCallError);
    expect(embedder.isReady()).toBe(true);
    expect(await embedder.embedBatch([NOTE])).toHaveLength(1);
    expect(logger.messages('warn')).toEqual([]);
  });

  it('asks for a pause with 503 gets it, even if it answers other texts', async () => {
    const { embedder, endpoint } = await start((response, request) => {
      const isTrial = JSON.stringify(request.body['input']).includes('A short text');
      const busy = replies.status(503, { 'retry-after': '30' });
      return (isTrial ? embeddings : busy)(response, request);
    });
    const call = embedder.embedBatch([NOTE]);
    await expect(call).rejects.toMatchObject({ code: 'model_unavailable' });
    await expect(embedder.embed(NOTE)).rejects.toThrow(/tried again in 30 s/);
    expect(endpoint.requests).toHaveLength(2);
  });

  it.each([401, 403, 408, 500, 503])('responds with %i is unavailable', async (status) => {
    const { embedder, endpoint } = await start(embeddings);
    await embedder.embed(NOTE);
    endpoint.answerWith(replies.status(status));
    const call = embedder.embedBatch([NOTE]);
    await expect(call).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(embedder.isReady()).toBe(false);
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
  const endpoint = await endpointOfTest(reply);
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
  onTestFinished(() => embedder.close());
  return { embedder, endpoint, clock, logger };
}
