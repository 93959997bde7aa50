import { describe, expect, it } from 'vitest';
import { QueryEmbedding } from '../../../src/app/search/query-embedding.js';
import type { RetrievalRequest } from '../../../src/app/search/retriever.js';
import { QUERY_VECTORS_KEPT } from '../../../src/domain/limits.js';
import { readPlain } from '../../../src/domain/query/query.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { turnOver } from '../../support/retrieval-world.js';

describe('the vector of a query', () => {
  it('is made once, however often it is asked for', async () => {
    const { embedder, vectorFor } = world();
    const first = await vectorFor('wal');
    expect(await vectorFor('wal')).toBe(first);
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
    for (const other of others) expect(other).toBe(first);
    expect(embedder.embedded).toEqual(['wal']);
  });

  it('is given up after the time that the settings allow, and made again for the next', async () => {
    const { embedder, signals, clock, vectorFor } = world();
    embedder.hold();
    const late = vectorFor('wal');
    await turnOver();
    clock.advance(1000);
    expect(await late).toEqual({ reason: 'The query was not embedded within 1000 ms.' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    embedder.release();
    expect(await vectorFor('wal')).toHaveProperty('vector');
  });

  it('is made again after a failure', async () => {
    const { embedder, logger, vectorFor } = world();
    const embed = embedder.embed;
    embedder.embed = () => Promise.reject(new Error('The model broke.'));
    expect(await vectorFor('wal')).toEqual({ reason: 'The embedding model failed.' });
    expect(logger.entries).toMatchObject([{ fields: { reason: 'The model broke.' } }]);
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

function world() {
  const embedder = FakeEmbedder.ready();
  const [clock, logger] = [new FixedClock(), new SilentLogger()];
  const signals: AbortSignal[] = [];
  const embed = embedder.embed.bind(embedder);
  embedder.embed = (text, signal) => {
    if (signal !== undefined) signals.push(signal);
    return embed(text, signal);
  };
  const embedding = new QueryEmbedding({ embedder, clock, logger });
  const vectorFor = (text: string) => embedding.vectorFor(requestOf(text));
  return { embedder, clock, logger, signals, vectorFor };
}

function requestOf(text: string): RetrievalRequest {
  return {
    text,
    query: readPlain(text),
    filter: { sourceTypes: 'all' },
    maxResults: 20,
    fusion: 'rrf',
    candidates: 'keyword',
    settings: DEFAULT_SETTINGS,
  };
}
