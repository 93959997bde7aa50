import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chunkMarkdownFile,
  createContainer,
  createKnowledgeStore,
  type RunningKnowledgeStore,
  TOKENS,
} from '../../../src/index.js';
import { ChunksInAMap } from '../../fakes/chunks-in-a-map.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { eventually } from '../../support/running-service.js';

const wordEmbedder = {
  embed: async (text: string) => vectorOf(text),
  embedBatch: async (texts: readonly string[]) => texts.map(vectorOf),
  isReady: () => true,
};

let project: string;
const running: RunningKnowledgeStore[] = [];

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'ports-'));
  await write('docs/car.md', '## Oil\nNew oil for the car.\n\n## Tyres\nRound.\n');
});

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()));
  await rm(project, { recursive: true });
});

describe('an embedder with the methods of the specification alone', () => {
  const embedder = { ...wordEmbedder, cosineSimilarity: () => 0 };

  it.each(['backends', 'container'])(
    'is enough for search and ingestion, by the %s',
    async (way) => {
      const { store, embedder: own } =
        way === 'backends'
          ? start({ backends: { embedder } })
          : rebound((container) => container.rebind(TOKENS.embedder).toConstantValue(embedder));
      await store.readAllSources(project);
      await eventually(async () => (await store.getEmbeddingStatus()).pending === 0);
      expect(await store.search(project, 'oil')).toMatchObject({ retrievalMode: 'hybrid' });
      expect((await store.getStats()).enabledHybridRetrieval).toBe(true);
      expect(store.getModelStatus()).toMatchObject({ name: 'custom', state: 'ready' });
      expect(own.cosineSimilarity([1, 0], [1, 0])).toBe(1);
    },
  );

  it('loads at the first text that a search asks for, and answers by keyword until then', async () => {
    const texts: string[] = [];
    const embed = async (text: string) => {
      texts.push(text);
      return vectorOf(text);
    };
    const lazy = { ...embedder, embed, isReady: () => texts.length > 0 };
    const { store } = start({ backends: { embedder: lazy } });
    expect(await store.search(project, 'oil')).toMatchObject({ retrievalMode: 'bm25' });
    expect(texts).toHaveLength(1);
  });

  it.each([
    ['with them alone', embedder],
    [
      'that is complete',
      Object.assign(FakeEmbedder.ready(), {
        embed: embedder.embed,
        embedBatch: embedder.embedBatch,
      }),
    ],
  ])('must return as many values as it says, %s', async (_, wrong) => {
    const { embedder: own } = start({
      backends: { embedder: Object.assign(wrong, { dimensions: 3 }) },
    });
    const refused = /returned 384 values instead of 3/;
    await expect(own.embed('a')).rejects.toThrow(refused);
    await expect(own.embedBatch(['a'])).rejects.toThrow(refused);
  });
});

describe('a repository of chunks', () => {
  it('stores the chunks of the sources, and decides what a search returns', async () => {
    const repository = new ChunksInAMap();
    const { store, sources } = rebound((container) =>
      container.rebind(TOKENS.chunkRepository).toConstantValue(repository),
    );
    const chunk = () => sources.getChunk(project, 'docs/car.md#0');
    await expect(chunk()).rejects.toMatchObject({ code: 'not_found' });
    await store.readAllSources(project);
    expect(idsIn(repository)).toEqual(['docs/car.md#0', 'docs/car.md#1']);
    const [[key, oil] = []] = repository.chunks;
    if (key && oil) repository.chunks.set(key, { ...oil, content: 'Kept elsewhere.' });
    expect(await found(store, 'oil')).toEqual(['Kept elsewhere.']);
    const shown = { chunk: { content: 'Kept elsewhere.' }, questions: [] };
    expect(await chunk()).toMatchObject(shown);
    repository.chunks.clear();
    expect(await found(store, 'oil')).toEqual([]);
    await expect(chunk()).rejects.toMatchObject({ code: 'not_found' });
    await store.readAllSources(project);
    expect(await found(store, 'oil')).toEqual(['New oil for the car.']);
    await rename(join(project, 'docs/car.md'), join(project, 'docs/bus.md'));
    await store.readAllSources(project);
    expect(idsIn(repository)).toEqual(['docs/bus.md#0', 'docs/bus.md#1']);
    await rm(join(project, 'docs'), { recursive: true });
    await store.readAllSources(project);
    expect(repository.chunks.size).toBe(0);
  });

  it('that fails loses nothing: the source is indexed by the next ingestion', async () => {
    const repository = new ChunksInAMap();
    const { store } = start({ backends: { chunkRepository: repository } });
    repository.failure = new Error('full');
    await expect(store.readAllSources(project)).rejects.toThrow('full');
    repository.failure = undefined;
    await store.readAllSources(project);
    expect(await found(store, 'oil')).toEqual(['New oil for the car.']);
    await write('docs/car.md', '## Oil\nNo oil.\n\n## Tyres\nRound.\n');
    repository.failure = new Error('full');
    await expect(store.readAllSources(project)).rejects.toThrow('full');
    repository.failure = undefined;
    await store.readAllSources(project);
    expect(await found(store, 'oil')).toEqual(['No oil.']);
  });

  it.each(['hybrid', 'search-only'] as const)(
    'is searched for what it holds, though nothing was indexed: %s',
    async (variant) => {
      const repository = new ChunksInAMap();
      const path = await realpath(project);
      for (const [i, content] of ['one tapir', 'one okapi', 'one tapir and an ibex'].entries()) {
        const at = '2026-01-01T00:00:00.000Z';
        await repository.replaceChunks(path, `held-${i}.md`, [
          {
            id: `held-${i}.md#0`,
            sourceType: 'file',
            sourceFile: `held-${i}.md`,
            content,
            ...{
              projectPath: project,
              chunkIndex: 0,
              importance: 0.5,
              createdAt: at,
              updatedAt: at,
            },
          },
        ]);
      }
      const { store } = start({ variant, backends: { chunkRepository: repository } });
      expect((await found(store, 'tapir')).toSorted()).toEqual([
        'one tapir',
        'one tapir and an ibex',
      ]);
      expect(repository.retrieved.toSorted()).toEqual(['held-0.md#0', 'held-2.md#0']);
      expect(await store.getStats(project)).toMatchObject({ totalChunks: 3 });
      repository.chunks.clear();
      expect(await found(store, 'tapir')).toEqual([]);
      expect(await store.getStats(project)).toMatchObject({ totalChunks: 0 });
    },
  );

  it('is by default that of the service, which a program can use', async () => {
    const container = createContainer({ variant: 'search-only', logger: 'silent' });
    const repository = container.get(TOKENS.chunkRepository);
    const { store, stop } = container.get(TOKENS.service);
    await store.readAllSources(project);
    const path = await realpath(project);
    expect(await repository.getChunks(path, ['docs/car.md#0'])).toMatchObject([
      { content: 'New oil for the car.' },
    ]);
    expect(await repository.getStats(path)).toMatchObject({ totalChunks: 2 });
    await stop();
  });

  it('does not keep pruned chunks', async () => {
    const repository = new ChunksInAMap();
    const clock = { now: () => new Date() };
    const { store } = start({ backends: { chunkRepository: repository, clock } });
    await store.readAllSources(project);
    clock.now = () => new Date(Date.now() + 91 * 24 * 60 * 60 * 1000);
    expect(await store.pruneStaleChunks(project)).toBe(2);
    expect(repository.chunks.size).toBe(0);
  });
});

describe('a language model of one function each', () => {
  it('is called at most ten times a minute for questions', async () => {
    const sections = Array.from({ length: 25 }, (_, i) => `## Part ${i}\nText ${i}.`);
    await write('docs/parts.md', sections.join('\n\n'));
    let calls = 0;
    const generateQuestions = async () => {
      calls += 1;
      return ['a?', 'b?', 'c?'];
    };
    const backends = { embedder: wordEmbedder, questionGenerator: { generateQuestions } };
    const { store } = start({ backends });
    await store.readAllSources(project);
    await eventually(async () => (await store.getHypeStatus()).complete === 10);
    expect(calls).toBe(10);
  });

  it('summarizes', async () => {
    const text = 'One two three four five.\n'.repeat(20);
    await write('.knowledge/memory/api.md', text);
    const summarizer = {
      summarize: async () => 'One two three four five six seven eight nine ten eleven.',
    };
    const { store } = start({ backends: { summarizer } });
    expect(await store.compactCategory(project, 'api', 10)).toMatchObject({ compacted: true });
  });
});

it.each([
  ['embedder', 'embedBatch', { embed: async () => [], isReady: (): boolean => true }],
  ['chunkRepository', 'deleteChunks', { replaceChunks: async () => {}, getChunks: async () => [] }],
  ['questionGenerator', 'generateQuestions', {}],
  ['summarizer', 'summarize', {}],
  ['chunkRepository', 'searchChunks', { ...methods('replaceChunks', 'deleteChunks', 'getChunks') }],
  ['clock', 'now', {}],
])('a %s without the method %s is refused', (name, method, port) => {
  const sentence = `backends.${name} lacks the method ${method}.`;
  expect(() => createKnowledgeStore({ backends: { [name]: port } as never })).toThrow(sentence);
  const container = createContainer();
  container.rebind<unknown>(TOKENS[name as 'embedder']).toConstantValue(port);
  expect(() => container.get(TOKENS.service)).toThrow(sentence);
});

function methods(...names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, async () => []]));
}

it('A name that is no port is refused with the ports that the documents describe', () => {
  const backends = { embeder: {} } as never;
  expect(() => createKnowledgeStore({ backends })).toThrow(
    'backends.embeder is not a port. Ports are chunkRepository, embedder, questionGenerator, summarizer, clock, and others that the type Backends lists.',
  );
});

it('A port that is bound after the service was built is refused with a sentence', () => {
  const container = createContainer({ logger: 'silent' });
  container.rebind(TOKENS.clock).toConstantValue({ now: () => new Date() });
  container.get(TOKENS.service);
  expect(() => container.rebind(TOKENS.clock)).toThrow('The service has already been built');
  expect(() => container.bind(TOKENS.clock)).toThrow('The service has already been built');
});

it.each([
  ['stores', 'find', { open: async () => {} }],
  ['settings', 'read', {}],
  ['pages', 'fetch', { get: async () => {} }],
  ['reranker', 'rerank', { maxDocuments: 8 }],
  ['queryRewriter', 'rewriteQuery', {}],
])('%s without the method %s are refused at the start', (name, method, port) => {
  const backends = { [name]: port } as never;
  expect(() => createKnowledgeStore({ backends })).toThrow(
    `backends.${name} lacks the method ${method}.`,
  );
});

it('A logger without a level is refused', () => {
  const logger = { debug: () => {}, info: () => {}, error: () => {} } as never;
  expect(() => createKnowledgeStore({ logger })).toThrow('logger lacks the method warn.');
});

it.each([
  ['a number', () => Date.now()],
  ['no time', () => new Date('soon')],
])('A clock that returns %s is refused at once', (_, now) => {
  const clock = { now } as never;
  expect(() => createKnowledgeStore({ backends: { clock } })).toThrow(
    'backends.clock.now must return a valid Date.',
  );
});

it.each([0, -1, 1.5, Number.NaN])(
  'An embedder of %d dimensions is refused at once',
  (dimensions) => {
    const embedder = { ...wordEmbedder, dimensions };
    expect(() => createKnowledgeStore({ backends: { embedder } })).toThrow(
      'backends.embedder.dimensions must be a positive integer.',
    );
  },
);

describe('stats', () => {
  it('have six types and no mode in the search-only variant, and mean the last project', async () => {
    const { store } = start({ variant: 'search-only' });
    await expect(store.getStats()).rejects.toMatchObject({ code: 'invalid_request' });
    await store.initialize(project);
    const stats = await store.getStats();
    expect(Object.keys(stats.sourceTypeBreakdown)).toHaveLength(6);
    expect(stats).not.toHaveProperty('enabledHybridRetrieval');
    expect(stats).toEqual(await store.getStats(project));
    expect(await store.getHypeStatus()).toEqual({ complete: 0, pending: 0 });
  });

  it('list five types in the hybrid variant', async () => {
    const { store } = start({});
    const { sourceTypeBreakdown, enabledHybridRetrieval } = await store.getStats(project);
    expect(Object.keys(sourceTypeBreakdown).sort()).toEqual([
      'agent_output',
      'file',
      'generated',
      'manual',
      'reflection',
    ]);
    expect(enabledHybridRetrieval).toBe(false);
  });
});

it('chunkMarkdownFile returns the fields of a MemoryChunk', () => {
  const text = '---\ntags: [db]\nimportance: 0.9\ncites: [a.ts]\n---\n## A\nOne.\n\n## B\nTwo.\n';
  expect(chunkMarkdownFile(text)).toEqual([
    { heading: 'A', content: 'One.', chunkIndex: 0, tags: ['db'], importance: 0.9 },
    { heading: 'B', content: 'Two.', chunkIndex: 1, tags: [] },
  ]);
});

// Helpers

function start(options: Parameters<typeof createKnowledgeStore>[0]): RunningKnowledgeStore {
  const store = createKnowledgeStore({ ...QUIET, ...options });
  running.push(store);
  return store;
}

function rebound(rebind: (container: ReturnType<typeof createContainer>) => void) {
  const container = createContainer(QUIET);
  rebind(container);
  const store = container.get(TOKENS.service);
  running.push(store);
  return store;
}

const QUIET = { downloads: 'forbidden', logger: 'silent' } as const;

function idsIn({ chunks }: ChunksInAMap): readonly string[] {
  return [...chunks.values()].map(({ id }) => id);
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, file)), { recursive: true });
  await writeFile(join(project, file), text);
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(384);
  vector[text.length % 384] = 1;
  return vector;
}

async function found({ search }: RunningKnowledgeStore['store'], query: string) {
  const { results } = await search(project, query);
  return results.map(({ chunk }) => chunk.content);
}
