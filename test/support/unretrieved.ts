import type { ProjectStore } from '../../src/ports/project-stores.js';

/** The ids of the chunks that were never retrieved. */
export async function unretrieved({
  chunks,
}: Pick<ProjectStore, 'chunks'>): Promise<readonly string[]> {
  const entries = await chunks.entries();
  return entries.filter(({ retrievals }) => retrievals === 0).map(({ id }) => id);
}

/** Prunes all chunks that were never retrieved, whatever their age, and returns their ids. */
export async function pruneAll(store: Pick<ProjectStore, 'chunks'>): Promise<readonly string[]> {
  return store.chunks.deleteChunks(await unretrieved(store), new Date('2999-01-01'));
}
