import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { sqliteStores } from '../../test/support/sqlite-stores.js';
import { loadRealEmbedder, MODEL } from './real-embedder.js';

/** Gives the files of a project in SQLite the vectors of their headers, by the real model: no set has those of its own names. */
export async function embedHeaders(project: string): Promise<void> {
  const stores = sqliteStores({ model: MODEL, dimensions: EMBEDDING_DIMENSIONS });
  const { vectors } = await stores.open(project);
  const embedder = await loadRealEmbedder();
  try {
    const pending = await vectors.pending('headers', 1_000_000);
    for (const header of pending) {
      const [vector] = await embedder.embedBatch(header.texts);
      if (vector !== undefined) await vectors.put('headers', [{ ...header, vector }]);
    }
  } finally {
    await embedder.close();
    await stores.close();
  }
}
