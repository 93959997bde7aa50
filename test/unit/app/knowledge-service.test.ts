import { beforeEach, describe, expect, it } from 'vitest';
import { sumTotals } from '../../../src/app/status/store-totals.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import type { SearchAnswer } from '../../../src/schemas/explanation.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { type CoreInMemory, coreInMemory, idsFound } from '../../support/core-in-memory.js';
import { embedPending } from '../../support/embed-pending.js';
import { recordedTreatments } from '../../support/recorded-treatments.js';

const P = '/project';
const REFLECTION = '.knowledge/features/locks/reflection.md';
const OUTPUT = '.knowledge/features/locks/agent-output.md';

let world: CoreInMemory;
let store: CoreInMemory['core']['store'];

beforeEach(() => {
  use({});
});

function use(replaced: Parameters<typeof coreInMemory>[0]): void {
  world = coreInMemory(replaced);
  store = world.core.store;
  world.ports.files.set(REFLECTION, 'Writers wait for readers.');
  world.ports.files.set(OUTPUT, 'The agent changed the locks.');
  world.ports.files.set('docs/guide.md', 'Writers wait, says the guide.');
}

describe('an ingestion', () => {
  it.each([
    ['ingestReflections', 'writers', `${REFLECTION}#0`],
    ['ingestAgentOutputs', 'agent', `${OUTPUT}#0`],
  ] as const)('of one kind: %s', async (method, query, id) => {
    await store.initialize(P);
    const before = world.woken();
    expect(await store[method](P)).toBe(1);
    expect(world.woken()).toBe(before + 1);
    expect(await idsFound(world, query)).toContain(id);
  });

  it('of everything returns a report', async () => {
    world.ports.files.set('docs/secret.md', 'x');
    world.ports.files.refuse('docs/secret.md', 'no permission');
    expect(await store.readAllSources(P)).toMatchObject({
      indexed: 3,
      skipped: [{ sourceFile: 'docs/secret.md', reason: 'no permission' }],
    });
    world.ports.files.delete('docs/guide.md');
    expect(await store.reindex(P)).toMatchObject({ removed: 1 });
  });

  it('rebuilds the index only if it is a reindexing', async () => {
    const treatments = recordedTreatments((await world.core.projects.open(P)).store);
    await store.readAllSources(P);
    expect(treatments).toEqual([]);
    await store.reindex(P);
    expect(treatments).toEqual(['rebuild']);
  });

  it('is left out of a reindexing if the settings say so, but the index is made again', async () => {
    use({ settings: { read: async () => ({ ...DEFAULT_SETTINGS, autoReindex: false }) } });
    const treatments = recordedTreatments((await world.core.projects.open(P)).store);
    const before = world.woken();
    expect(await store.reindex(P)).toEqual({ indexed: 0, skipped: [], removed: 0 });
    expect([treatments, world.woken() - before]).toEqual([['rebuild'], 1]);
    await store.rebuildIndex(P);
    expect(treatments).toEqual(['rebuild', 'rebuild']);
    expect(await idsFound(world, 'writers')).toEqual([]);
  });
});

describe('a search', () => {
  beforeEach(async () => {
    await store.readAllSources(P);
  });

  it('for reflections and similar texts finds no other sources, and as many as requested', async () => {
    world.ports.files.set('.knowledge/features/more/reflection.md', 'Writers wait here too.');
    await store.ingestReflections(P);
    const sourcesOf = ({ results }: SearchAnswer) =>
      results.map(({ chunk }) => chunk.sourceFile).toSorted();
    const MORE = '.knowledge/features/more/reflection.md';
    expect(sourcesOf(await store.searchReflections(P, 'writers'))).toEqual([REFLECTION, MORE]);
    expect((await store.searchReflections(P, 'writers', 1)).results).toHaveLength(1);
    const similar = await store.findSimilarChunks(P, 'Writers wait for readers.', REFLECTION);
    expect(sourcesOf(similar)).toEqual([MORE, 'docs/guide.md']);
    const one = await store.findSimilarChunks(P, 'Writers wait', undefined, 1);
    expect(one.results).toHaveLength(1);
    expect((await store.search(P, 'writers', { maxResults: 1 })).results).toHaveLength(1);
  });
});

describe('the status of a store', () => {
  it('is nothing without a store, which only statistics make', async () => {
    world = coreInMemory();
    store = world.core.store;
    for (const method of ['getEmbeddingStatus', 'getHypeStatus'] as const) {
      expect(await store[method](P)).toMatchObject({ complete: 0, pending: 0 });
    }
    expect(await world.ports.stores.find(P)).toBeUndefined();
    expect(await store.getStats(P)).toMatchObject({
      totalChunks: 0,
      enabledHybridRetrieval: false,
    });
    expect(await world.ports.stores.find(P)).toBeDefined();
  });

  it.each([
    ['is', true, { ready: true, wanted: true, embedded: true }],
    ['is not, without a vector,', false, { ready: true, wanted: true, embedded: false }],
    ['is not, without a model,', false, { ready: false, wanted: true, embedded: true }],
    ['is not, if the settings say so,', false, { ready: true, wanted: false, embedded: true }],
  ])('says that search %s hybrid', async (_, expected, { ready, wanted, embedded }) => {
    const embedder = ready ? FakeEmbedder.ready() : new FakeEmbedder();
    const settings = { ...DEFAULT_SETTINGS, hybridRetrieval: wanted };
    use({ embedder, settings: { read: async () => settings } });
    await store.readAllSources(P);
    if (embedded) await embedOne();
    expect((await store.getStats(P)).enabledHybridRetrieval).toBe(expected);
  });

  it('calls chunks pending until the titles of their files have vectors, if there is a model', async () => {
    const embedder = FakeEmbedder.ready();
    use({ embedder });
    await store.readAllSources(P);
    const { vectors } = (await world.core.projects.open(P)).store;
    await embedPending(vectors, embedder, { limit: 100 });
    expect(await store.getEmbeddingStatus(P)).toEqual({ complete: 0, pending: 3 });
    embedder.fail('absent');
    expect(await store.getEmbeddingStatus(P)).toEqual({ complete: 3, pending: 0 });
    embedder.recover();
    await embedPending(vectors, embedder, { kind: 'headers', limit: 100 });
    expect(await store.getEmbeddingStatus(P)).toEqual({ complete: 3, pending: 0 });
  });

  it('reports at once the progress and the current work', async () => {
    const embedder = new FakeEmbedder();
    use({ embedder });
    const overview = () => world.useCases.status.overview({ projectPath: P });
    const nothing = { complete: 0, pending: 0 };
    const model = { name: 'fake/words', state: 'idle' };
    const empty = { embeddings: nothing, hype: nothing, model, stale: 0 };
    const stats = { totalChunks: 0, uniqueSources: 0 };
    expect(await overview()).toEqual({ ...empty, stats });
    expect(Object.keys(await overview())).not.toContain('failure');
    await store.readAllSources(P);
    await embedOne();
    expect(await store.getEmbeddingStatus(P)).toEqual({ complete: 1, pending: 2 });
    expect(await store.getHypeStatus(P)).toEqual({ complete: 0, pending: 3 });
    const project = await world.core.projects.open(P);
    for (const name of ['first indexing', 'vectors']) {
      await project.store.upkeep.acquire(name, 60_000);
    }
    embedder.fail();
    expect(await overview()).toEqual({
      embeddings: { complete: 1, pending: 2 },
      hype: { complete: 0, pending: 3 },
      stats: { totalChunks: 3, uniqueSources: 3, lastUpdated: expect.any(String) },
      stale: 0,
      model: { ...model, state: 'failed' },
      indexing: 'running',
      embedding: 'running',
      failure: expect.stringContaining('told to fail'),
    });
    const broken = { ...project.store, chunks: { ...project.store.chunks } };
    broken.chunks.stats = () => Promise.reject(new Error('locked'));
    const { sizeBytes } = await project.store.chunks.stats();
    const { refusals } = project;
    refusals.embeddings.add('content', { id: 'a#0', texts: ['a'] }, 'refused');
    const counted = { ...project, store: project.store, refusals };
    expect(await sumTotals([counted, counted, { ...counted, store: broken }], embedder)).toEqual({
      stores: 3,
      chunks: 6,
      bytes: 2 * sizeBytes,
      pendingVectors: 2,
      pendingQuestions: 6,
    });
  });

  it('names the model', () => {
    use({ embedder: new FakeEmbedder({ model: 'a/model' }) });
    expect(store.getModelStatus()).toEqual({ name: 'a/model', state: 'idle' });
  });

  it('says whether the model is loaded', () => {
    use({ embedder: new FakeEmbedder() });
    expect(world.core.embedder.isReady()).toBe(false);
    use({ embedder: FakeEmbedder.ready() });
    expect(world.core.embedder.isReady()).toBe(true);
  });
});

describe('upkeep', () => {
  it('prunes chunks that were never retrieved, and reports or previews them', async () => {
    await store.readAllSources(P);
    await store.search(P, 'guide');
    world.ports.clock.advance(90 * 86_400_000 - 1);
    expect(await store.previewPrune(P)).toEqual([]);
    world.ports.clock.advance(1);
    const preview = await store.previewPrune(P);
    expect(preview.map(({ sourceFile }) => sourceFile).toSorted()).toEqual([OUTPUT, REFLECTION]);
    expect(preview[0]?.reason).toMatch(
      /^Never retrieved, and unused since .*: at least 90 days\.$/,
    );
    expect(await store.pruneWithReport(P)).toEqual(preview);
    expect(await store.pruneStaleChunks(P)).toBe(0);
    expect(await store.getStats(P)).toMatchObject({ totalChunks: 1 });
  });
});

async function embedOne(): Promise<void> {
  const { vectors } = (await world.core.projects.open(P)).store;
  await embedPending(vectors, FakeEmbedder.ready(), { limit: 1 });
  await embedPending(vectors, FakeEmbedder.ready(), { kind: 'headers', limit: 100 });
}
