import { PRUNE_AFTER_DAYS } from '../../domain/limits.js';
import type { ChunkEntry } from '../../domain/overview/chunk-list.js';
import { isPrunable, unusedSince } from '../../domain/upkeep/pruning.js';
import type { PrunedChunk } from '../../ports/driving/upkeep-service.js';
import type { Project } from '../projects/project.js';

/** Deletes chunks that nobody has retrieved for a long time (docs/specification.md, "Pruning"). */
export async function prune(project: Project, now: Date): Promise<readonly PrunedChunk[]> {
  const { retrievals } = project.store;
  const prunable = await unretrievedChunks(project, now);
  const deleted = new Set<string>();
  for (let at = 0; at < prunable.length; at += PRUNED_AT_ONCE) {
    const ids = prunable.slice(at, at + PRUNED_AT_ONCE).map(({ id }) => id);
    for (const id of await retrievals.deleteUnretrieved(ids)) deleted.add(id);
  }
  return prunable.filter(({ id }) => deleted.has(id));
}

/** What `prune` would delete. */
export async function unretrievedChunks(
  { store }: Project,
  now: Date,
): Promise<readonly PrunedChunk[]> {
  const entries = await store.chunks.entries();
  return entries.flatMap((entry) => (isPrunable(useOf(entry), now) ? [toPrunedChunk(entry)] : []));
}

/** So that other writers need not wait for all. */
const PRUNED_AT_ONCE = 100;

function useOf({ retrievals, ...entry }: ChunkEntry) {
  return { ...entry, retrievalCount: retrievals };
}

function toPrunedChunk(entry: ChunkEntry): PrunedChunk {
  const { id, sourceFile } = entry;
  return {
    id,
    sourceFile,
    reason: `Never retrieved, and unused since ${unusedSince(useOf(entry))}: at least ${PRUNE_AFTER_DAYS} days.`,
  };
}
