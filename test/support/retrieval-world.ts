import { noCitations } from '../../src/app/citations/citation-judge.js';
import type { SearchFindings } from '../../src/app/search/findings.js';
import { hybridRetrieval } from '../../src/app/search/hybrid-retrieval.js';
import {
  retrieveByAllWords,
  retrieveByAnyWord,
  retrieveByText,
} from '../../src/app/search/keyword-retrieval.js';
import { QueryEmbeddings, QueryVectors } from '../../src/app/search/query-vectors.js';
import type { RetrievalRequest, Retrieve } from '../../src/app/search/retrieval.js';
import { Search } from '../../src/app/search/search.js';
import { noLanguageModel, noMetrics, referenceScales } from '../../src/app/wiring/null-objects.js';
import { chunkId, embeddingText, type SourceType } from '../../src/domain/chunks/chunk.js';
import { readQuery } from '../../src/domain/query/query.js';
import type { Vector } from '../../src/domain/ranking/vector.js';
import { DEFAULT_SETTINGS, type Settings } from '../../src/domain/settings.js';
import type { QueryRewriter } from '../../src/ports/language-model.js';
import type { Metrics } from '../../src/ports/metrics.js';
import { FakeEmbedder } from '../fakes/fake-embedder.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { InMemoryProjectFiles } from '../fakes/in-memory-project-files.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { document } from './chunks.js';
import { openProject } from './open-project.js';
import { memoryStores, SharedDatabases } from './sqlite-stores.js';

const PATH = '/project';

export interface WorldOptions {
  readonly settings?: Partial<Settings>;
  readonly embedder?: FakeEmbedder;
  /** Why vectors cannot be compared; by default they can. */
  readonly comparisonProblem?: string;
  /** Default: no language model. */
  readonly queryRewriter?: QueryRewriter;
  /** Default: counts nothing. */
  readonly metrics?: Metrics;
  /** Default: the project is indexed. */
  readonly indexing?: SearchFindings['indexing'];
}

/** A project in memory, to which tests add chunks with the cosines they need. */
export async function makeRetrievalWorld(options: WorldOptions = {}) {
  const { embedder = FakeEmbedder.ready(), comparisonProblem, metrics = noMetrics } = options;
  const settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const [clock, logger] = [new FixedClock(), new SilentLogger()];
  const databases = new SharedDatabases();
  const stores = memoryStores({ clock, model: embedder.model, databases });
  const store = await stores.open(PATH);
  if (comparisonProblem !== undefined) {
    Object.assign(store.vectors, {
      similarities: async () => new Map(),
      nearest: async () => [],
      status: async () => ({ complete: 0, pending: 0, problem: comparisonProblem }),
    });
  }
  const project = openProject({ path: PATH, store }, { settings: { read: async () => settings } });
  Object.assign(project, { beginIndexing: async () => options.indexing });
  const projects = { open: async () => project };
  const hybrid = hybridRetrieval(
    new QueryVectors({
      embedder,
      clock,
      logger,
      queryEmbeddings: new QueryEmbeddings({ embedder, metrics, clock }),
      relevanceScales: referenceScales,
    }),
  );
  const searchOf = (retrieve: Retrieve, byText: Retrieve) =>
    new Search({
      projects,
      retrieve,
      retrieveByText: byText,
      files: new InMemoryProjectFiles(),
      appDirs: { of: () => '.knowledge' },
      citations: noCitations,
      sourceStates: { find: async () => new Map() },
      queryRewriter: options.queryRewriter ?? noLanguageModel,
      metrics,
      clock,
      logger,
    });
  const world = {
    project,
    store,
    embedder,
    clock,
    logger,
    settings,
    searchOnly: searchOf(retrieveByAllWords, retrieveByText),
    hybridSearch: searchOf(hybrid, hybrid),
    /** The retrieval counts of a source's only chunk. */
    row: (name: string) =>
      databases
        .get(PATH)
        ?.prepare<[string], Retrievals>(
          'SELECT retrieval_count AS retrievalCount, last_retrieved_at AS lastRetrievedAt FROM chunks WHERE id = ?',
        )
        .get(idOf(name)),
    /** Adds a source with one chunk. */
    async add(name: string, content: string, sourceType: SourceType = 'file') {
      await store.chunks.replaceSources([
        { sourceFile: name, document: document(name, [content], sourceType) },
      ]);
    },
    /** Adds chunks that share no word with others, so that the words of the others are rare. */
    async fill(count: number) {
      for (let i = 0; i < count; i += 1) await world.add(`filler-${i}`, `filler${i}`);
    },
    /** Gives a source's chunk a vector with this cosine to the vector of `query`. */
    async near(name: string, query: string, cosine: number) {
      const [chunk] = await store.chunks.getChunks([idOf(name)]);
      if (chunk === undefined) throw new Error(`There is no ${name}.`);
      const vector = await vectorAt(query, cosine);
      await store.vectors.put('content', [{ id: chunk.id, texts: [embeddingText(chunk)], vector }]);
    },
    /** Gives a source's chunk a question, with a vector of this cosine to the vector of `query`. */
    async asked(name: string, query: string, cosine: number) {
      const [chunk] = await store.chunks.getChunks([idOf(name)]);
      if (chunk === undefined) throw new Error(`There is no ${name}.`);
      await store.vectors.put('questionTexts', [
        { id: chunk.id, texts: [embeddingText(chunk)], questions: ['Why?'] },
      ]);
      const vector = await vectorAt(query, cosine);
      await store.vectors.put('questions', [{ id: chunk.id, texts: ['Why?'], vector }]);
    },
    byWords: (text: string, rest?: Partial<RetrievalRequest>) =>
      retrieveByAllWords(project, requestOf(text, { settings, ...rest })),
    byCandidates: (text: string, rest?: Partial<RetrievalRequest>) =>
      retrieveByAnyWord(project, requestOf(text, { settings, ...rest })),
    byMeaning: (text: string, rest?: Partial<RetrievalRequest>) =>
      hybrid(project, requestOf(text, { settings, ...rest })),
  };
  return world;
}

export type RetrievalWorld = Awaited<ReturnType<typeof makeRetrievalWorld>>;

export function idOf(name: string): string {
  return chunkId(name, 0);
}

export function namesOf(ranked: readonly { readonly chunk: { readonly sourceFile: string } }[]) {
  return ranked.map(({ chunk }) => chunk.sourceFile);
}

function requestOf(
  text: string,
  rest: Partial<RetrievalRequest> & { readonly settings: Settings },
): RetrievalRequest {
  const query = readQuery(text);
  const filter = { sourceTypes: 'all' } as const;
  const budget = { maxResults: 20, maxTokens: 8000 };
  const ranking = { profile: 'reading', fusion: 'rrf', candidates: 'keyword' } as const;
  const defaults = { exactWords: [], minRelevance: undefined };
  return { text, query, filter, ...budget, ...ranking, ...defaults, ...rest };
}

async function vectorAt(query: string, cosine: number): Promise<Vector> {
  const direction = await FakeEmbedder.ready().embed(query);
  const vector = direction.map((value) => value * cosine);
  const aside = direction.indexOf(0);
  vector[aside] = Math.sqrt(1 - cosine ** 2);
  return vector;
}

interface Retrievals {
  readonly retrievalCount: number;
  readonly lastRetrievedAt: string | null;
}
