import type { ChunkDetails } from '../../src/app/sources/chunk-details.js';
import type { Chunk } from '../../src/domain/chunks/chunk.js';
import type { Stats } from '../../src/domain/overview/stats.js';
import type { ReadAnswer, SearchAnswer } from '../../src/schemas/explanation.js';

/** A chunk with every field, as responses show it; the store also returns its number. */
export const FULL_CHUNK: Chunk = {
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
};

const ROW: Chunk & { readonly rowid: number } = { ...FULL_CHUNK, rowid: 1 };
const { heading: _heading, tags: _tags, ...WITHOUT_OPTIONAL } = ROW;

/** Two results: a chunk with every field, and one without the optional ones. */
export const CITATION_REPORT = {
  citations: [
    { path: 'src/a.ts', lines: '4-8', state: 'changed', since: '2026-01-01T00:00:00.000Z' },
    {
      path: 'src/b.ts',
      lines: '4-8',
      state: 'current',
      since: '2026-01-01T00:00:00.000Z',
      movedTo: '5-9',
    },
    { path: 'src/c.ts', state: 'gone', since: '2026-01-01T00:00:00.000Z' },
  ],
  stale: true,
} as const;

export const ANSWER = {
  results: [
    { chunk: ROW, score: -1.5, ...CITATION_REPORT },
    { chunk: { ...WITHOUT_OPTIONAL, id: 'docs/a.md#1', chunkIndex: 1 }, score: -0.5 },
  ],
  retrievalMode: 'bm25',
  totalTokens: 8,
  explanation: {
    query: { kind: 'plain', terms: ['some'] },
    match: '"some"',
    mode: { value: 'bm25', reason: 'The model is not loaded.' },
    candidates: { anyWord: 2 },
    results: [
      {
        id: 'docs/a.md#0',
        score: -1.5,
        keywordRank: 1,
        keywordScore: -1.5,
        tokens: 4,
        ...CITATION_REPORT,
      },
      { id: 'docs/a.md#1', score: -0.5, keywordRank: 2, keywordScore: -0.5, tokens: 4 },
    ],
    budget: { maxResults: 20, maxTokens: 8000, usedTokens: 8, cut: 0, reason: 'nothing cut' },
    notes: [{ code: 'no_vectors', sentence: 'The embedding model is still loading.' }],
  },
} satisfies SearchAnswer;

export const READ_ANSWER: ReadAnswer = {
  ...ANSWER,
  results: ANSWER.results.map((result) => ({ ...result, scope: 'project' })),
  weak: false,
  leftOut: 0,
};

export const STATS: Stats = {
  totalChunks: 2,
  totalSizeBytes: 4096,
  uniqueSources: 1,
  lastUpdated: '2026-01-02T00:00:00.000Z',
  dbPath: '/project/.knowledge/knowledge.db',
  sourceTypeBreakdown: { file: 2, reflection: 0, agent_output: 0, url: 0, manual: 0, generated: 0 },
  enabledHybridRetrieval: true,
};

export const NOTE = {
  id: 'a-note',
  sourceFile: '.knowledge/notes/a-note.md',
  chunks: 1,
  version: '0123456789abcdef',
};

export const FULL_NOTE = {
  id: 'a-note',
  sourceFile: NOTE.sourceFile,
  title: 'A note',
  content: 'Some text.',
  tags: ['kept'],
  importance: 0.7,
  version: NOTE.version,
  scope: 'project' as const,
  updated: '2026-01-01T00:00:00.000Z',
};

export const CHUNK_DETAILS: ChunkDetails = {
  chunk: FULL_CHUNK,
  line: 3,
  ...CITATION_REPORT,
  questions: ['What is it?'],
  neighbours: [
    { id: 'docs/a.md#1', sourceFile: 'docs/a.md', cosine: 0.5 },
    { id: 'docs/b.md#0', sourceFile: 'docs/b.md', heading: 'B', cosine: -0.1 },
  ],
};

export const STATUS = {
  embeddings: { complete: 5, pending: 2 },
  hype: { complete: 1, pending: 6 },
  model: { name: 'some/model', state: 'ready' },
  indexing: 'running',
  embedding: 'running',
} as const;
