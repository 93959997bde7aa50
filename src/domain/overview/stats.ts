import type { SourceType } from '../chunks/chunk.js';

/** Counts over the chunks of a project. */
export interface ContentStats {
  readonly totalChunks: number;
  readonly uniqueSources: number;
  /** All six source types, zeros included. */
  readonly sourceTypeBreakdown: Readonly<Record<SourceType, number>>;
  /** ISO 8601; absent while there are no chunks. */
  readonly lastUpdated?: string;
  /** Storage used by the store, in bytes; 0 for a store in memory. */
  readonly sizeBytes: number;
}

/** The contents and place of a store (docs/specification.md, "Stats"). */
export interface Stats extends Omit<ContentStats, 'sizeBytes' | 'sourceTypeBreakdown'> {
  /** All six source types in the search-only variant; all but `url` in the hybrid one. */
  readonly sourceTypeBreakdown: Omit<ContentStats['sourceTypeBreakdown'], 'url'> & {
    readonly url?: number;
  };
  readonly totalSizeBytes: number;
  readonly dbPath: string;
  /** Whether searches of this project currently use vectors; absent in the search-only variant. */
  readonly enabledHybridRetrieval?: boolean;
}

/** How many chunks have a vector, and how many still wait for one. */
export interface VectorStatus {
  readonly complete: number;
  readonly pending: number;
  /** Number of texts refused by the model, which are not pending; absent if there are none. */
  readonly refused?: number;
}

/** The stats of a store that was never written. */
export const NO_CONTENT: ContentStats = {
  totalChunks: 0,
  uniqueSources: 0,
  sourceTypeBreakdown: { file: 0, reflection: 0, agent_output: 0, url: 0, manual: 0, generated: 0 },
  sizeBytes: 0,
};

export const NO_VECTORS: VectorStatus = { complete: 0, pending: 0 };

/** @param location where the store is, as in `ProjectStore.location` */
export function toStats({ sizeBytes, ...content }: ContentStats, location: string): Stats {
  return { ...content, totalSizeBytes: sizeBytes, dbPath: location };
}

/** The stats as shown by the hybrid variant. */
export function listedStats(stats: Stats): Stats {
  const { url: _, ...sourceTypeBreakdown } = stats.sourceTypeBreakdown;
  return { ...stats, sourceTypeBreakdown };
}
