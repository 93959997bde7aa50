import { normalized, type Vector } from '../../src/domain/ranking/vector.js';
import type { Embedder } from '../../src/ports/driven/embedder.js';
import { generator } from '../quality/statistics.js';

const DIMENSIONS = 384;
const random = generator(1);

export function someVector(): Vector {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  return normalized(vector) ?? vector;
}

/** Any vector for any text, at no cost, so that only what is done with vectors is measured. */
export function plantedEmbedder(model: string): Embedder {
  return {
    model,
    dimensions: DIMENSIONS,
    isReady: () => true,
    state: () => 'ready',
    load: () => undefined,
    embed: async () => someVector(),
    embedBatch: async (texts) => texts.map(someVector),
    close: async () => undefined,
  };
}
