import { PRUNE_AFTER_DAYS } from '../limits.js';

/** The use of a chunk; times are ISO 8601. */
export interface ChunkUse {
  readonly retrievalCount: number;
  readonly lastRetrievedAt?: string;
  readonly createdAt: string;
}

/**
 * Whether a chunk is deleted by pruning (docs/specification.md, "Pruning"): never retrieved, and unused for 90 days.
 */
export function isPrunable(use: ChunkUse, now: Date): boolean {
  return use.retrievalCount === 0 && Date.parse(unusedSince(use)) <= pruneBoundary(now).getTime();
}

/** The time of the last retrieval, even if another program recorded but did not count it, else of the creation. */
export function unusedSince({ lastRetrievedAt, createdAt }: ChunkUse): string {
  return lastRetrievedAt ?? createdAt;
}

/** Chunks last used at or before this time are old enough to prune. */
function pruneBoundary(now: Date): Date {
  return new Date(now.getTime() - PRUNE_AFTER_DAYS * DAY_MS);
}

const DAY_MS = 24 * 60 * 60 * 1000;
