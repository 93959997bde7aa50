import { systemClock } from '../../src/adapters/system/system-clock.js';
import { HeaderWork } from '../../src/app/enrichment/header-work.js';
import { noMetrics } from '../../src/app/wiring/null-objects.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { sqliteStores } from '../../test/support/sqlite-stores.js';
import { loadRealEmbedder, MODEL } from './real-embedder.js';

/** Gives the files of a project in SQLite the vectors of their headers, by the real model: no set has those of its own names. */
export async function embedHeaders(project: string): Promise<void> {
  const stores = sqliteStores({ model: MODEL, dimensions: EMBEDDING_DIMENSIONS });
  const { headers } = await stores.open(project);
  const embedder = await loadRealEmbedder();
  try {
    const work = new HeaderWork({ embedder, metrics: noMetrics, clock: systemClock });
    while (await work.embedSome(headers));
  } finally {
    await embedder.close();
    await stores.close();
  }
}
