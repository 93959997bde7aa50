import { PRUNE_AFTER_DAYS } from '../../domain/limits.js';
import { pruneBoundary } from '../../domain/upkeep/pruning.js';
import type { PrunedChunk } from '../../ports/driving/upkeep-service.js';
import type { UnretrievedChunk } from '../../ports/retrieval-log.js';
import type { Project } from '../projects/project.js';

/** Deletes chunks that nobody has retrieved for a long time (docs/specification.md, "Pruning"). */
export async function prune({ store }: Project, now: Date): Promise<readonly PrunedChunk[]> {
  const boundary = pruneBoundary(now);
  const pruned: PrunedChunk[] = [];
  for (;;) {
    const deleted = await store.retrievals.deleteUnusedSince(boundary, PRUNED_AT_ONCE);
    if (deleted.length === 0) return pruned;
    pruned.push(...deleted.map(toPrunedChunk));
  }
}

/** What `prune` would delete. */
export async function unretrievedChunks(
  { store }: Project,
  now: Date,
): Promise<readonly PrunedChunk[]> {
  return (await store.retrievals.findUnusedSince(pruneBoundary(now))).map(toPrunedChunk);
}

/** A list of all would stop the event loop for a quarter of a second where 100,000 are deleted. */
const PRUNED_AT_ONCE = 5000;

function toPrunedChunk({ id, sourceFile, unusedSince }: UnretrievedChunk): PrunedChunk {
  return {
    id,
    sourceFile,
    reason: `Never retrieved, and unused since ${unusedSince}: at least ${PRUNE_AFTER_DAYS} days.`,
  };
}
