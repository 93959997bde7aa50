import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { embedPending } from '../../test/support/embed-pending.js';
import { sqliteStores } from '../../test/support/sqlite-stores.js';
import { loadRealEmbedder, MODEL } from './real-embedder.js';

/** Embeds the headers of the files of a SQLite project with the real model, because no set has vectors for them. */
export async function embedHeaders(project: string): Promise<void> {
  const stores = sqliteStores({ model: MODEL, dimensions: EMBEDDING_DIMENSIONS });
  const { vectors } = await stores.open(project);
  const embedder = await loadRealEmbedder();
  try {
    await embedPending(vectors, embedder, { kind: 'headers', limit: 1_000_000 });
  } finally {
    await embedder.close();
    await stores.close();
  }
}
