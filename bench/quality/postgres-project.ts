import { randomUUID } from 'node:crypto';
import { PostgresProjectStores } from '../../src/adapters/postgres/stores/postgres-project-stores.js';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import { embeddingText } from '../../src/domain/chunks/chunk.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import type { ProjectStore, ProjectStores } from '../../src/ports/project-stores.js';
import { SilentLogger } from '../../test/fakes/silent-logger.js';
import type { Collection, CorpusDocument } from './collection.js';
import { MODEL } from './real-embedder.js';

export interface PostgresTarget {
  readonly url: string;
}

/** Stores a collection with the vectors of the set, and one chunk and source per document. */
export async function fillPostgres(
  path: string,
  { documents }: Collection,
  { url }: PostgresTarget,
): Promise<() => ProjectStores> {
  const key = randomUUID();
  const openStores = () =>
    new PostgresProjectStores({
      url,
      keys: { find: async () => key, open: async () => key },
      model: MODEL,
      dimensions: EMBEDDING_DIMENSIONS,
      clock: systemClock,
      logger: new SilentLogger(),
    });
  const stores = openStores();
  const store = await stores.open(path);
  for (const document of documents) await add(store, document);
  await store.upkeep.maintain('rebuild');
  await stores.close();
  return openStores;
}

async function add(
  store: ProjectStore,
  { id, title, text, vector }: CorpusDocument,
): Promise<void> {
  const chunk = { content: text, importance: 0.5, ...(title !== '' && { heading: title }) };
  const [chunkId, embedded] = [`${id}#0`, embeddingText(chunk)];
  const source = { sourceType: 'file', sourceFile: id, contentHash: id, chunks: [chunk] } as const;
  await store.chunks.replaceSources([{ sourceFile: id, document: source }]);
  if (vector !== undefined)
    await store.vectors.put('content', [{ id: chunkId, texts: [embedded], vector }]);
}
