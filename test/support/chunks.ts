import {
  type Chunk,
  chunkId,
  type DraftChunk,
  type SourceDocument,
  type SourceType,
} from '../../src/domain/chunks/chunk.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import type { Vector } from '../../src/domain/ranking/vector.js';

/** A draft with this content and default values. */
export function draft(content: string, rest: Partial<DraftChunk> = {}): DraftChunk {
  return { content, importance: 0.5, ...rest };
}

/** A document with these chunks, whose hash depends on them. */
export function document(
  sourceFile: string,
  chunks: readonly (string | DraftChunk)[],
  sourceType: SourceType = 'file',
): SourceDocument {
  const drafts = chunks.map((chunk) => (typeof chunk === 'string' ? draft(chunk) : chunk));
  return { sourceType, sourceFile, contentHash: JSON.stringify(drafts), chunks: drafts };
}

/** A chunk as another program might have written it. */
export function chunk(sourceFile: string, chunkIndex: number, rest: Partial<Chunk> = {}): Chunk {
  return {
    id: chunkId(sourceFile, chunkIndex),
    sourceType: 'manual',
    sourceFile,
    projectPath: '/project',
    chunkIndex,
    content: `content of ${sourceFile}`,
    importance: 0.5,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...rest,
  };
}

/** A vector with these first values, and zeros after them. */
export function vector(...values: readonly number[]): Vector {
  const all = new Float32Array(EMBEDDING_DIMENSIONS);
  all.set(values);
  return all;
}

/** A vector that looks random but is always the same for a seed. */
export function scattered(seed: number): Vector {
  return vector(...Array.from({ length: 384 }, (_, i) => Math.sin(seed * 131 + i * i * 0.7)));
}

/** A vector so close to another that their cosines to third ones are nearly equal. */
export function near(centre: Vector, seed: number): Vector {
  const aside = scattered(seed);
  return centre.map((value, i) => value + 0.05 * (aside[i] ?? 0));
}
