import type { Variant } from '../../src/app/config/config.js';
import { noEmbedder } from '../../src/app/wiring/null-objects.js';
import { createKnowledgeStore, type RunningKnowledgeStore } from '../../src/index.js';
import type { EmbeddingModel } from '../../src/ports/embedder.js';
import type { ProjectStores } from '../../src/ports/project-stores.js';
import { MODEL } from './real-embedder.js';

/**
 * Starts the service to measure: composed as usual, but with another embedder or none, and on SQLite unless stores are
 * given.
 */
export function startService(
  variant: Variant,
  embedder: EmbeddingModel = noEmbedder(MODEL),
  stores?: ProjectStores,
): RunningKnowledgeStore {
  return createKnowledgeStore({ variant, logger: 'silent', backends: { embedder, stores } });
}

const PAUSE_MS = 500;

/** Waits until all chunks and their questions have vectors. */
export async function untilEmbedded(
  { store }: RunningKnowledgeStore,
  project: string,
): Promise<void> {
  await store.initialize(project);
  while ((await store.getEmbeddingStatus(project)).pending > 0) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
