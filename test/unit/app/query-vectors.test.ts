import { describe, expect, it } from 'vitest';
import { QueryEmbeddings, QueryVectors } from '../../../src/app/search/query-vectors.js';
import type { RetrievalRequest } from '../../../src/app/search/retrieval.js';
import { noMetrics, referenceScales } from '../../../src/app/wiring/null-objects.js';
import { KnowledgeError } from '../../../src/domain/errors.js';
import { QUERY_VECTORS_KEPT } from '../../../src/domain/limits.js';
import { readPlain } from '../../../src/domain/query/query.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { turnOver } from '../../support/enrichment-world.js';

describe('the vector of a query', () => {
  it('is computed once, however often it is requested', async () => {
    const { embedder, vectorFor } = world();
    const first = await vectorFor('wal');
    expect(await vectorFor('wal')).toEqual(first);
    expect(first).toMatchObject({ vector: await embedder.embed('wal') });
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

  it.each([1000, 30])(
    'is given up after the %d ms of the settings, and there for the next search',
    async (ms) => {
      const { embedder, clock, logger, vectorFor } = world(ms);
      embedder.hold();
      const soon = vectorFor('soon');
      const late = vectorFor('late');
      await turnOver();
      clock.advance(ms - 1);
      await turnOver();
      clock.advance(1);
      expect(await late).toEqual({
        modeReason: `The embedding model took longer than ${ms} ms for this query.`,
        lacks: 'vectors',
      });
      expect(await soon).toHaveProperty('modeReason');
      expect(clock.sleepers).toBe(0);
      embedder.release();
      expect(await vectorFor('late')).toHaveProperty('vector');
      expect(embedder.embedded).toEqual(['soon', 'late']);
      expect(logger.entries).toEqual([]);
    },
  );

  it('is reported with the time that it took, once however many ask', async () => {
    const { vectorFor, reports } = world();
    await Promise.all([vectorFor('wal'), vectorFor('wal')]);
    expect(reports).toEqual([{ kind: 'query', texts: 1, seconds: 0 }]);
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
    expect(await vectorFor('wal')).toEqual({ modeReason: reason, lacks: 'vectors' });
    const [warning] = logger.entries;
    expect([logger.entries.length, warning?.fields['reason'] ?? error.message]).toEqual([
      warnings,
      error.message,
    ]);
    embedder.embed = embed;
    expect(await vectorFor('wal')).toHaveProperty('vector');
  });

  it.each([
    ['absent', 'No embedding model is installed.'],
    ['failed', 'The embedding model could not be loaded.'],
  ] as const)('is never awaited from a model that is %s', async (state, modeReason) => {
    const { embedder, clock, vectorFor } = world();
    embedder.fail(state);
    embedder.load = () => {
      embedder.status = () => ({ state: 'loading', failure: undefined });
    };
    for (let second = 0; second < 4; second += 1) {
      embedder.status = () => ({ state, failure: undefined });
      expect(await vectorFor('wal')).toEqual({ modeReason, lacks: 'model' });
      clock.advance(1000);
    }
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
  const reports: object[] = [];
  const metrics = { ...noMetrics, embedded: (call: object) => void reports.push(call) };
  const vectors = new QueryVectors({
    embedder,
    clock,
    logger,
    queryEmbeddings: new QueryEmbeddings({ embedder, metrics, clock }),
    relevanceScales: referenceScales,
  });
  const vectorFor = (text: string, timeoutMs = queryVectorTimeoutMs) => {
    const settings = { ...DEFAULT_SETTINGS, queryVectorTimeoutMs: timeoutMs };
    return vectors.vectorFor({ ...requestOf(text), settings });
  };
  return { embedder, clock, logger, reports, vectorFor };
}

function requestOf(text: string): RetrievalRequest {
  return {
    profile: 'reading',
    text,
    query: readPlain(text),
    filter: { sourceTypes: 'all' },
    maxResults: 20,
    maxTokens: 8000,
    fusion: 'rrf',
    candidates: 'keyword',
    exactWords: [],
    minRelevance: 0,
    settings: DEFAULT_SETTINGS,
  };
}
