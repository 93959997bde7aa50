import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createKnowledgeStore, InMemoryVectorIndex } from '../../src/index.js';
import { FakeEmbedder } from '../fakes/fake-embedder.js';
import { type Client, okBody, startClient, VARIANTS } from '../support/running-service-calls.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';

const projects = new TempProjects();
afterEach(() => projects.removeAll());

const NOTES = '## Otters\nAn otter sleeps on its back.\n\n## Beavers\nA beaver builds dams.\n';

describe.each(VARIANTS)('the service with KNOWLEDGE_STORE=memory, %s', (variant) => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient(variant, { KNOWLEDGE_STORE: 'memory' });
  });
  afterAll(() => client.service.stop());

  test('indexes, searches and counts without writing anything into the project', async () => {
    const project = projects.make({ 'docs/animals.md': NOTES });
    okBody(await client.rebuild(project));
    expect(await client.ids(project, 'otter')).toEqual(['docs/animals.md#0']);
    const { stats = undefined, ...shown } = okBody(await client.stats(project));
    expect(stats ?? shown).toMatchObject({
      totalChunks: 2,
      uniqueSources: 1,
      sourceTypeBreakdown: { file: 2 },
    });
    expect(filesOf(project)).toEqual(['docs', 'docs/animals.md']);
  });
});

describe('the library', () => {
  test('ranks by a vector index of the host program over the chunks in SQLite', async () => {
    const project = projects.make({ 'docs/animals.md': NOTES });
    project.writeSettings({ relevanceFloor: 0 });
    const places: string[] = [];
    const embedder = FakeEmbedder.ready();
    const { store, stop } = createKnowledgeStore({
      ...QUIET,
      backends: {
        embedder,
        vectors: (texts, { kind }) => {
          places.push(kind);
          return new InMemoryVectorIndex(texts, embedder.dimensions);
        },
      },
    });
    await store.reindex(project.path);
    await expect
      .poll(() => store.getEmbeddingStatus(project.path))
      .toEqual({ complete: 2, pending: 0 });
    const options = { candidates: 'union', explain: true } as const;
    const { results, retrievalMode } = await store.search(project.path, 'otter', options);
    expect(retrievalMode).toBe('hybrid');
    expect(results.map(({ chunk }) => chunk.id)).toEqual([
      'docs/animals.md#0',
      'docs/animals.md#1',
    ]);
    expect(places).toEqual(['content', 'questions']);
    await stop();
    expect(filesOf(project)).toContain('.knowledge/knowledge.db');
  });
});

const QUIET = { downloads: 'forbidden', logger: 'silent' } as const;

function filesOf(project: TempProject): readonly string[] {
  return readdirSync(project.path, { recursive: true }).map(String).toSorted();
}
