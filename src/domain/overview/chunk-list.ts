import type { SourceType } from '../chunks/chunk.js';

/** A chunk without its text, and its use. */
export interface ChunkEntry {
  readonly id: string;
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly chunkIndex: number;
  readonly heading?: string;
  /** Number of budget tokens of its text. */
  readonly tokens: number;
  readonly importance: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly retrievals: number;
  /** ISO 8601; absent if it was never retrieved. */
  readonly lastRetrievedAt?: string;
}

export interface ChunkListQuery {
  readonly order: ChunkOrder;
  readonly sourceType?: SourceType | undefined;
  readonly sourceFile?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

interface ListedChunk extends Omit<ChunkEntry, 'chunkIndex' | 'createdAt'> {
  /** The nearest heading above its text, if it differs from `heading`. */
  readonly title?: string;
}

export interface ChunkList {
  readonly total: number;
  readonly chunks: readonly ListedChunk[];
}

export const CHUNK_ORDERS = [
  'source',
  'last_retrieved',
  'most_retrieved',
  'least_retrieved',
  'newest',
  'longest',
] as const;
type ChunkOrder = (typeof CHUNK_ORDERS)[number];

/** The range of page sizes, and of the number of entries to skip. */
export const LISTED_CHUNKS_RANGE = { min: 1, max: 200 } as const;
export const LISTED_OFFSET_RANGE = { min: 0, max: 10_000 } as const;

/** One page of the sorted chunks; ties are sorted by source file, place and id. */
export function listChunks(entries: readonly ChunkEntry[], query: ChunkListQuery): ChunkList {
  const { order, sourceType, sourceFile, limit, offset } = query;
  const matching = entries.filter(
    (entry) =>
      (sourceType === undefined || entry.sourceType === sourceType) &&
      (sourceFile === undefined || entry.sourceFile === sourceFile),
  );
  const page = matching
    .toSorted(combineOrders([...FIRST_STEPS[order], ...LAST_STEPS]))
    .slice(offset, offset + limit)
    .map(({ chunkIndex: _, createdAt: __, ...chunk }) => chunk);
  return { total: matching.length, chunks: page };
}

type Compare = (a: ChunkEntry, b: ChunkEntry) => number;

function combineOrders(steps: readonly Compare[]): Compare {
  return (a, b) => steps.reduce((result, step) => result || step(a, b), 0);
}

function up(read: (entry: ChunkEntry) => string | number): Compare {
  return (a, b) => Number(read(a) > read(b)) - Number(read(a) < read(b));
}

function down(read: (entry: ChunkEntry) => string | number): Compare {
  return (a, b) => up(read)(b, a);
}

const BY_LAST_RETRIEVAL = down(({ lastRetrievedAt = '' }) => lastRetrievedAt);

const FIRST_STEPS: Readonly<Record<ChunkOrder, readonly Compare[]>> = {
  source: [],
  last_retrieved: [BY_LAST_RETRIEVAL],
  most_retrieved: [down(({ retrievals }) => retrievals), BY_LAST_RETRIEVAL],
  least_retrieved: [up(({ retrievals }) => retrievals), up(({ updatedAt }) => updatedAt)],
  newest: [down(({ updatedAt }) => updatedAt)],
  longest: [down(({ tokens }) => tokens)],
};

const LAST_STEPS = [
  up(({ sourceFile }) => sourceFile),
  up(({ chunkIndex }) => chunkIndex),
  up(({ id }) => id),
];

/** A source and its stored chunks, including those of other programs. */
export interface SourceSummary {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly chunks: number;
  readonly retrievals: number;
  /** ISO 8601 time when a chunk of this source was last written; absent if it has no chunks, or none has a time. */
  readonly lastUpdated?: string;
}

/** Every source that has chunks or is indexed without any; sorted by `sourceFile` in code units. */
export function summarizeSources(
  entries: readonly ChunkEntry[],
  indexed: readonly Pick<SourceSummary, 'sourceFile' | 'sourceType'>[],
): readonly SourceSummary[] {
  const sources = new Map<string, SourceSummary>();
  for (const { sourceFile, sourceType } of indexed) {
    sources.set(sourceFile, { sourceFile, sourceType, chunks: 0, retrievals: 0 });
  }
  for (const { sourceFile, sourceType, retrievals, updatedAt } of entries) {
    const former = sources.get(sourceFile) ?? { sourceFile, sourceType, chunks: 0, retrievals: 0 };
    const { lastUpdated = '' } = former;
    const isLater = lastUpdated < updatedAt && !Number.isNaN(Date.parse(updatedAt));
    sources.set(sourceFile, {
      ...former,
      chunks: former.chunks + 1,
      retrievals: former.retrievals + retrievals,
      ...(isLater && { lastUpdated: updatedAt }),
    });
  }
  return [...sources.values()].toSorted((a, b) => (a.sourceFile < b.sourceFile ? -1 : 1));
}
