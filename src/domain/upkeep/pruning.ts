import { PRUNE_AFTER_DAYS } from '../limits.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The moment at or before which a chunk must have been last retrieved, or else created, to be
 * pruned if it was never retrieved since its counts began (docs/specification.md, "Pruning").
 */
export function pruneBoundary(now: Date): Date {
  return new Date(now.getTime() - PRUNE_AFTER_DAYS * DAY_MS);
}
