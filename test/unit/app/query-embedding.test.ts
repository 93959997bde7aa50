import { describe, expect, it } from 'vitest';
import { QueryEmbedding } from '../../../src/app/search/query-embedding.js';
import type { RetrievalRequest } from '../../../src/app/search/retriever.js';
import { KnowledgeError } from '../../../src/domain/errors.js';
import { QUERY_VECTORS_KEPT } from '../../../src/domain/limits.js';
import { readPlain } from '../../../src/domain/query/query.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { turnOver } from '../../support/enrichment-world.js';

describe('the vector of a query', () => {
  it('is made once, however often it is asked for', async () => {
    const { embedder, vectorFor } = world();
    const first = await vectorFor('wal');
    expect(await vectorFor('wal')).toEqual(first);
    expect(first).toEqual({ vector: await embedder.embed('wal') });
    await vectorFor('Wal');
    expect(embedder.embedded).toEqual(['wal', 'wal', 'Wal']);
  });

  it('is made once for all who ask at the same time', async () => {
    const { embedder, vectorFor } = world();
    embedder.hold();
    const asked = [1, 2, 3].map(() => vectorFor('wal'));
    embedder.release();
    const [first, ...others] = await Promise.all(asked);
    for (const other of others) expect(other).toEqual(first);
    expect(embedder.embedded).toEqual(['wal']);
  });

  it.each([1000, 30])('is given up after the %d ms of the settings, no sooner', async (ms) => {
    const { embedder, signals, clock, logger, vectorFor } = world(ms);
    embedder.hold();
    const soon = vectorFor('soon');
    await turnOver();
    clock.advance(ms - 1);
    await turnOver();
    embedder.release();
    expect(await soon).toHaveProperty('vector');
    expect(clock.sleepers).toBe(0);
    embedder.hold();
    const late = vectorFor('late');
    await turnOver();
    expect(signals.at(-1)?.aborted).toBe(false);
    clock.advance(ms);
    expect(await late).toEqual({ reason: `The query was not embedded within ${ms} ms.` });
    expect(signals.at(-1)?.aborted).toBe(true);
    embedder.fail();
    embedder.release();
    await turnOver();
    expect(logger.entries).toEqual([]);
    embedder.recover();
    expect(await vectorFor('late')).toHaveProperty('vector');
  });

  it('is still made for those who wait longer than others', async () => {
    const { embedder, signals, clock, vectorFor } = world();
    embedder.hold();
    const short = vectorFor('wal', 30);
    const long = vectorFor('wal', 1000);
    await turnOver();
    clock.advance(30);
    expect(await short).toEqual({ reason: 'The query was not embedded within 30 ms.' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    embedder.release();
    expect(await long).toHaveProperty('vector');
  });

  it('is made of the first 2,000 characters of a text', async () => {
    const { embedder, vectorFor } = world();
    await vectorFor(`wal ${'x'.repeat(100_000)}`);
    expect(embedder.embedded).toEqual([`wal ${'x'.repeat(1996)}`]);
  });

  it.each([
    [new Error('The model broke.'), 'The embedding model failed.', 1],
    [
      new KnowledgeError('overloaded', 'Full.'),
      'Too many queries are waiting for the embedding model.',
      0,
    ],
  ])('is made again after a failure: %s', async (error, reason, warnings) => {
    const { embedder, logger, vectorFor } = world();
    const { embed } = embedder;
    embedder.embed = () => Promise.reject(error);
    expect(await vectorFor('wal')).toEqual({ reason });
    const [warning] = logger.entries;
    expect([logger.entries.length, warning?.fields['reason'] ?? error.message]).toEqual([
      warnings,
      error.message,
    ]);
    embedder.embed = embed;
    expect(await vectorFor('wal')).toHaveProperty('vector');
  });

  it('is forgotten when so many others were used since', async () => {
    const { embedder, vectorFor } = world();
    await vectorFor('forgotten');
    await vectorFor('used');
    for (let i = 0; i < QUERY_VECTORS_KEPT - 2; i += 1) await vectorFor(`other ${i}`);
    await vectorFor('used');
    expect(embedder.embedded).toHaveLength(QUERY_VECTORS_KEPT);
    await vectorFor('one more');
    embedder.embedded.length = 0;
    await vectorFor('used');
    await vectorFor('forgotten');
    expect(embedder.embedded).toEqual(['forgotten']);
  });
});

function world(queryVectorTimeoutMs = DEFAULT_SETTINGS.queryVectorTimeoutMs) {
  const embedder = FakeEmbedder.ready();
  const [clock, logger] = [new FixedClock(), new SilentLogger()];
  const signals: AbortSignal[] = [];
  const embed = embedder.embed.bind(embedder);
  embedder.embed = (text, signal) => {
    if (signal !== undefined) signals.push(signal);
    return embed(text, signal);
  };
  const embedding = new QueryEmbedding({ embedder, clock, logger });
  const vectorFor = (text: string, timeoutMs = queryVectorTimeoutMs) => {
    const settings = { ...DEFAULT_SETTINGS, queryVectorTimeoutMs: timeoutMs };
    return embedding.vectorFor({ ...requestOf(text), settings });
  };
  return { embedder, clock, logger, signals, vectorFor };
}

function requestOf(text: string): RetrievalRequest {
  return {
    text,
    query: readPlain(text),
    filter: { sourceTypes: 'all' },
    maxResults: 20,
    maxTokens: 8000,
    fusion: 'rrf',
    candidates: 'keyword',
    settings: DEFAULT_SETTINGS,
  };
}
