import type { Chunk } from '../../src/domain/chunks/chunk.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { isStorable } from '../../src/domain/ranking/vector.js';
import type { ChunkFilter } from '../../src/ports/driven/chunk-repository.js';
import type { Row, StoredVector } from './in-memory-disk.js';

export function passes({ sourceTypes, excludedSources = [] }: ChunkFilter, chunk: Chunk): boolean {
  const wanted = sourceTypes === 'all' || sourceTypes.includes(chunk.sourceType);
  return wanted && !excludedSources.includes(chunk.sourceFile);
}

/** Vectors of another model or size, or not of finite values, do not exist. */
export function isUsable(stored: StoredVector | undefined, model: string): boolean {
  return stored?.model === model && isStorable(stored.values, EMBEDDING_DIMENSIONS);
}

/** For sorting: the chunk created last comes first. */
export function byNewest(a: Row, b: Row): number {
  return Date.parse(b.chunk.createdAt) - Date.parse(a.chunk.createdAt) || b.order - a.order;
}
