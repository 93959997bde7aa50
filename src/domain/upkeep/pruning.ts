import { PRUNE_AFTER_DAYS } from '../limits.js';

/** How much a chunk was used; times are ISO 8601. */
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

/** The last retrieval, which another program may have recorded without counting it, else the creation. */
export function unusedSince({ lastRetrievedAt, createdAt }: ChunkUse): string {
  return lastRetrievedAt ?? createdAt;
}

/** Chunks that were last used then or earlier are old enough to be pruned. */
export function pruneBoundary(now: Date): Date {
  return new Date(now.getTime() - PRUNE_AFTER_DAYS * DAY_MS);
}

const DAY_MS = 24 * 60 * 60 * 1000;
