import type { Chunk } from '../../src/domain/chunk.js';
import type { SearchAnswer } from '../../src/domain/search.js';
import type { VectorStatus } from '../../src/domain/stats.js';
import type {
  CompletionReport,
  FeatureInHand,
  FeatureLifecycle,
  Lessons,
} from '../../src/ports/feature-lifecycle.js';
import type {
  CompactionReport,
  IngestionReport,
  KnowledgeStats,
  KnowledgeStore,
  ModelStatus,
  PrunedChunk,
} from '../../src/ports/knowledge-store.js';

/**
 * A store, and the lifecycle of its features, that give the same answer to everybody and write down
 * who asked. What they answer holds every optional field, and more than any route shows.
 */
export class FakeKnowledgeStore implements KnowledgeStore, FeatureLifecycle {
  readonly calls: { readonly method: string; readonly args: readonly unknown[] }[] = [];
  #before: () => Promise<void> = async () => undefined;

  /** Every later call fails with this error. */
  failWith(error: unknown): void {
    this.#before = () => Promise.reject(error);
  }

  /** Every later call waits until the function that is answered has been called. */
  hold(): () => void {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#before = () => held;
    return release;
  }

  /** Resolves when so many calls have been made. */
  async called(times: number): Promise<void> {
    while (this.calls.length < times) await new Promise((resolve) => setImmediate(resolve));
  }

  async initialize(...args: readonly unknown[]): Promise<void> {
    return this.#answer('initialize', args, undefined);
  }

  async search(...args: readonly unknown[]): Promise<SearchAnswer> {
    return this.#answer('search', args, ANSWER);
  }

  async searchReflections(...args: readonly unknown[]): Promise<SearchAnswer> {
    return this.#answer('searchReflections', args, ANSWER);
  }

  async findSimilarChunks(...args: readonly unknown[]): Promise<SearchAnswer> {
    return this.#answer('findSimilarChunks', args, ANSWER);
  }

  async ingestReflections(...args: readonly unknown[]): Promise<IngestionReport> {
    return this.#answer('ingestReflections', args, { indexed: 3, skipped: [] });
  }

  async ingestAgentOutputs(...args: readonly unknown[]): Promise<IngestionReport> {
    return this.#answer('ingestAgentOutputs', args, { indexed: 4, skipped: [] });
  }

  async reindex(...args: readonly unknown[]): Promise<IngestionReport> {
    return this.#answer('reindex', args, { indexed: 7, skipped: [] });
  }

  async rebuildIndex(...args: readonly unknown[]): Promise<void> {
    return this.#answer('rebuildIndex', args, undefined);
  }

  async getStats(...args: readonly unknown[]): Promise<KnowledgeStats> {
    return this.#answer('getStats', args, STATS);
  }

  async getEmbeddingStatus(...args: readonly unknown[]): Promise<VectorStatus> {
    return this.#answer('getEmbeddingStatus', args, { complete: 5, pending: 2 });
  }

  async getHypeStatus(...args: readonly unknown[]): Promise<VectorStatus> {
    return this.#answer('getHypeStatus', args, { complete: 1, pending: 6 });
  }

  getModelStatus(): ModelStatus {
    return { name: 'some/model', state: 'ready' };
  }

  async compactCategory(...args: readonly unknown[]): Promise<CompactionReport> {
    return this.#answer('compactCategory', args, { ...COMPACTION, compacted: true });
  }

  async previewCompaction(...args: readonly unknown[]): Promise<CompactionReport> {
    return this.#answer('previewCompaction', args, COMPACTION);
  }

  async pruneStaleChunks(...args: readonly unknown[]): Promise<readonly PrunedChunk[]> {
    return this.#answer('pruneStaleChunks', args, PRUNED);
  }

  async previewPrune(...args: readonly unknown[]): Promise<readonly PrunedChunk[]> {
    return this.#answer('previewPrune', args, PRUNED);
  }

  async lessonsFor(projectPath: string, feature: FeatureInHand): Promise<Lessons> {
    const { results } = ANSWER;
    const section = '## Lessons from Similar Features';
    return this.#answer('lessonsFor', [projectPath, feature], {
      section,
      source: 'search',
      results,
    });
  }

  async completeFeature(...args: readonly unknown[]): Promise<CompletionReport> {
    return this.#answer('completeFeature', args, COMPLETION);
  }

  async #answer<T>(method: string, args: readonly unknown[], answer: T): Promise<T> {
    this.calls.push({ method, args });
    await this.#before();
    return answer;
  }
}

const FULL_CHUNK: Chunk & { readonly rowid: number } = {
  id: 'docs/a.md#0',
  sourceType: 'file',
  sourceFile: 'docs/a.md',
  projectPath: '/project',
  chunkIndex: 0,
  heading: 'A heading',
  content: 'Some content.',
  tags: ['one', 'two'],
  importance: 0.5,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  rowid: 1,
};

const { heading: _heading, ...WITHOUT_HEADING } = FULL_CHUNK;

/** Two results: a chunk with every field, and one without the optional ones. */
const ANSWER: SearchAnswer = {
  results: [
    { chunk: FULL_CHUNK, score: -1.5 },
    { chunk: { ...WITHOUT_HEADING, id: 'docs/a.md#1', chunkIndex: 1, tags: [] }, score: -0.5 },
  ],
  retrievalMode: 'bm25',
  totalTokens: 8,
  explanation: {
    query: { kind: 'plain', terms: ['some'] },
    mode: { value: 'bm25', reason: 'The model is not loaded.' },
    candidates: { allWords: 2, anyWord: 0 },
    results: [
      { id: 'docs/a.md#0', score: -1.5, keywordRank: 1, keywordScore: -1.5, tokens: 4 },
      { id: 'docs/a.md#1', score: -0.5, keywordRank: 2, keywordScore: -0.5, tokens: 4 },
    ],
    budget: { maxResults: 20, maxTokens: 8000, usedTokens: 8, cut: 0, reason: 'nothing cut' },
  },
};

const STATS: KnowledgeStats = {
  totalChunks: 2,
  totalSizeBytes: 4096,
  uniqueSources: 1,
  sourceTypeBreakdown: { file: 2, reflection: 0, agent_output: 0, url: 0, manual: 0, generated: 0 },
  lastUpdated: '2026-01-02T00:00:00.000Z',
  dbPath: '/project/.knowledge/knowledge.db',
  enabledHybridRetrieval: true,
};

const COMPACTION: CompactionReport = {
  compacted: false,
  reason: 'The file is short enough.',
  tokensBefore: 10,
  tokensAfter: 10,
};

const COMPLETION: CompletionReport = {
  learnings: 3,
  added: 2,
  duplicates: 1,
  categories: ['gotchas'],
  compacted: [],
};

const PRUNED: readonly PrunedChunk[] = [
  { id: 'docs/a.md#1', sourceFile: 'docs/a.md', reason: 'Not asked for since 2025-01-01.' },
];
