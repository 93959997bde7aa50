import type { Chunk } from '../../../domain/chunks/chunk.js';

/** The tags of a chunk, or nothing where there are none (contract, "Bodies"). */
export function presentTags({ tags }: Chunk): readonly string[] | undefined {
  return tags === undefined || tags.length === 0 ? undefined : tags;
}
