import { type Chunk, chunkId } from '../../domain/chunks/chunk.js';
import { lastHeading, leadingHeading } from '../../domain/chunks/display-title.js';
import type { Project } from '../project.js';

/**
 * Finds the nearest heading above the text of each of these chunks, by id, if it differs from the chunk's `heading`. If
 * the chunk is a piece of a section, the pieces before it are searched, too.
 */
export async function nearestHeadings(
  { store }: Pick<Project, 'store'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let untitled = (await store.chunks.getChunks(ids)).flatMap((chunk) => {
    const own = leadingHeading(chunk.content);
    if (own === undefined) return [{ chunk, before: chunk }];
    if (own !== chunk.heading) found.set(chunk.id, own);
    return [];
  });
  for (let step = 0; step < PIECES_BEFORE && untitled.length > 0; step += 1) {
    const earlier = await store.chunks.getChunks(untitled.map(({ before }) => idBefore(before)));
    const byId = new Map(earlier.map((chunk) => [chunk.id, chunk]));
    untitled = untitled.flatMap(({ chunk, before: last }) => {
      const before = byId.get(idBefore(last));
      if (before === undefined || before.heading !== chunk.heading) return [];
      const heading = lastHeading(before.content);
      if (heading === undefined) return [{ chunk, before }];
      if (heading !== chunk.heading) found.set(chunk.id, heading);
      return [];
    });
  }
  return found;
}

/** Number of pieces to search. A heading further back is too far away to describe the text. */
const PIECES_BEFORE = 20;

function idBefore({ sourceFile, chunkIndex }: Chunk): string {
  return chunkId(sourceFile, chunkIndex - 1);
}
