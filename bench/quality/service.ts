import type { Variant } from '../../src/app/config/config.js';
import { noEmbedder } from '../../src/app/wiring/null-objects.js';
import type { CosineScale } from '../../src/domain/ranking/cosine-scale.js';
import { createKnowledgeStore, type RunningKnowledgeStore } from '../../src/index.js';
import type { EmbeddingModel } from '../../src/ports/embedder.js';
import type { ProjectStores } from '../../src/ports/project-stores.js';
import { MODEL } from './real-embedder.js';

/**
 * The service that is measured: the regular composition, with another embedder or none, with SQLite unless there are
 * stores, and with the scale of relevance of the default model unless there is another.
 */
export function startService(
  variant: Variant,
  embedder: EmbeddingModel = noEmbedder(MODEL),
  further: {
    readonly stores?: ProjectStores | undefined;
    readonly scale?: CosineScale | undefined;
  } = {},
): RunningKnowledgeStore {
  const { stores, scale } = further;
  const relevanceScales = scale && { read: async () => scale, save: async () => undefined };
  const backends = { embedder, stores, relevanceScales };
  return createKnowledgeStore({ variant, logger: 'silent', backends });
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
