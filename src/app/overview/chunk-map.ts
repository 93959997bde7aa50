import { chunkId } from '../../domain/chunks/chunk.js';
import { projected } from '../../domain/overview/projection.js';
import { normalized, type Vector } from '../../domain/ranking/vector.js';
import type { ChunkMap } from '../../ports/driving/overview-service.js';
import type { ProjectStore } from '../../ports/project-stores.js';
import type { SourceSummary } from '../../ports/source-repository.js';
import type { Project } from '../projects/project.js';

/** The map of a sample of the chunks. */
export async function chunkMap({ store }: Project, limit: number): Promise<ChunkMap> {
  const sources = await store.chunks.sources();
  const total = sources.reduce((sum, { chunks }) => sum + chunks, 0);
  const vectors = await vectorsOf(store, sampled(sources, Math.max(1, total / limit)));
  const points = projected([...vectors.values()].map((vector) => normalized(vector) ?? vector));
  const places = new Map([...vectors.keys()].map((id, index) => [id, points[index]]));
  const chunks = await store.chunks.getChunks([...vectors.keys()]);
  return {
    total,
    points: chunks.flatMap(({ id, sourceType, heading }) => {
      const place = places.get(id);
      if (place === undefined) return [];
      return [{ id, sourceType, ...(heading !== undefined && { heading }), ...place }];
    }),
  };
}

/** Every `step`-th chunk, by the ids that chunks of a source have where none were pruned. */
function sampled(sources: readonly SourceSummary[], step: number): readonly string[] {
  const ids: string[] = [];
  let before = 0;
  for (const { sourceFile, chunks } of sources) {
    const first = Math.ceil(before / step);
    for (let pick = first; Math.floor(pick * step) < before + chunks; pick += 1) {
      const index = Math.floor(pick * step) - before;
      if (index >= 0) ids.push(chunkId(sourceFile, index));
    }
    before += chunks;
  }
  return ids;
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
