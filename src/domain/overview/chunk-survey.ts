import type { ChunkEntry } from './chunk-list.js';

/** Counts over all chunks of a project. */
export interface ChunkSurvey {
  readonly chunks: number;
  /** Budget tokens of all texts. */
  readonly tokens: number;
  /** Sum over all chunks. */
  readonly retrievals: number;
  readonly neverRetrieved: number;
  /** By type, most chunks first. */
  readonly types: readonly TypeCount[];
  /** Chunks by their size; every bucket, from small to large. */
  readonly sizes: readonly SizeCount[];
  /** Chunks by the day (UTC) of their last retrieval, oldest first, without empty days. */
  readonly lastRetrieved: readonly DayCount[];
}

export interface TypeCount {
  readonly sourceType: string;
  readonly chunks: number;
  readonly tokens: number;
  readonly retrievals: number;
}

export interface SizeCount {
  /** Tokens of the largest chunk that is counted here; absent for the last bucket. */
  readonly upTo?: number;
  readonly chunks: number;
}

export interface DayCount {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly chunks: number;
}

export function surveyOf(entries: readonly ChunkEntry[]): ChunkSurvey {
  const types = [...new Set(entries.map(({ sourceType }) => sourceType))].map((sourceType) => ({
    sourceType,
    ...sumsOf(entries.filter((entry) => entry.sourceType === sourceType)),
  }));
  const sizes = [...LARGEST_SIZES, undefined].map((upTo) => ({
    ...(upTo !== undefined && { upTo }),
    chunks: entries.filter(({ tokens }) => largestSizeFor(tokens) === upTo).length,
  }));
  const days = new Map<string, number>();
  for (const { lastRetrievedAt } of entries) {
    const day = lastRetrievedAt?.slice(0, 10);
    if (day !== undefined) days.set(day, (days.get(day) ?? 0) + 1);
  }
  return {
    ...sumsOf(entries),
    neverRetrieved: entries.filter(({ retrievals }) => retrievals === 0).length,
    types: types.toSorted((a, b) => b.chunks - a.chunks),
    sizes,
    lastRetrieved: [...days]
      .map(([day, chunks]) => ({ day, chunks }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  };
}

function sumsOf(entries: readonly ChunkEntry[]) {
  return {
    chunks: entries.length,
    tokens: entries.reduce((sum, { tokens }) => sum + tokens, 0),
    retrievals: entries.reduce((sum, { retrievals }) => sum + retrievals, 0),
  };
}

/** In budget tokens; a chunk of 500 estimated tokens has about 650 of them. */
const LARGEST_SIZES = [50, 100, 200, 300, 400, 500, 600, 800];

function largestSizeFor(tokens: number): number | undefined {
  return LARGEST_SIZES.find((upTo) => tokens <= upTo);
}
