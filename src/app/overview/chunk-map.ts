import type { ChunkEntry } from '../../domain/overview/chunk-list.js';
import { projected } from '../../domain/overview/projection.js';
import { normalized, type Vector } from '../../domain/ranking/vector.js';
import type { ProjectStore } from '../../ports/project-stores.js';
import type { ChunkMap } from '../../schemas/overview.js';
import type { Project } from '../projects/project.js';

/** The map of a sample of the chunks. */
export async function chunkMap({ store }: Project, limit: number): Promise<ChunkMap> {
  const entries = await store.chunks.entries();
  const vectors = await vectorsOf(store, sampled(entries, limit));
  const points = projected([...vectors.values()].map((vector) => normalized(vector) ?? vector));
  const places = new Map([...vectors.keys()].map((id, index) => [id, points[index]]));
  return {
    total: entries.length,
    points: entries.flatMap(({ id, sourceType, heading }) => {
      const place = places.get(id);
      if (place === undefined) return [];
      return [{ id, sourceType, ...(heading !== undefined && { heading }), ...place }];
    }),
  };
}

/** The ids of at most `limit` chunks, evenly spaced. */
function sampled(entries: readonly ChunkEntry[], limit: number): readonly string[] {
  const step = Math.max(1, entries.length / limit);
  const count = Math.ceil(entries.length / step);
  return Array.from({ length: count }, (_, pick) => entries[Math.floor(pick * step)]?.id ?? '');
}

/** In batches, so that no single read is long. */
async function vectorsOf(
  { vectors }: ProjectStore,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Vector>> {
  const found: (readonly [string, Vector])[] = [];
  for (let start = 0; start < ids.length; start += VECTORS_AT_ONCE) {
    found.push(...(await vectors.vectorsOf(ids.slice(start, start + VECTORS_AT_ONCE))));
  }
  return new Map(found);
}

const VECTORS_AT_ONCE = 100;
