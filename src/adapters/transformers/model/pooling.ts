import { normalize, type Vector } from '../../../domain/ranking/vector.js';
import type { ModelSettings } from './model-settings.js';

/**
 * Cuts tokens into windows of at most `size` with a stride of half of it: 254 and 127 for the default model
 * (docs/specification.md, "Embedding component"). The first window that reaches the end is the last one. An empty list
 * has one empty window.
 */
export function tokenWindows(
  tokens: readonly number[],
  size: number,
): readonly (readonly number[])[] {
  const stride = Math.max(1, Math.floor(size / 2));
  const windows: (readonly number[])[] = [];
  let start = 0;
  for (; start + size < tokens.length; start += stride) {
    windows.push(tokens.slice(start, start + size));
  }
  windows.push(tokens.slice(start));
  return windows;
}

export interface Pooling extends Pick<ModelSettings, 'pooling' | 'normalizes'> {
  /** Number of values in the vector of one token. */
  readonly width: number;
  /** Index of the first token that counts for the mean. */
  readonly from: number;
}

/** Pools the vectors of all tokens, which are consecutive in `data`, into one. */
export function pool(data: Float32Array, options: Pooling): Vector {
  const { pooling, width, from, normalizes } = options;
  if (pooling === 'cls') return inLength(data.slice(0, width), options);
  const sum = sumOfRows(data, width, from);
  // The sum has the direction of the mean, so normalizing it is enough.
  return normalizes
    ? inLength(sum, options)
    : sum.map((value) => value / (data.length / width - from));
}

function inLength(vector: Vector, { normalizes }: Pooling): Vector {
  return normalizes ? (normalize(vector) ?? vector) : vector;
}

function sumOfRows(data: Float32Array, width: number, from: number): Vector {
  const sum = new Float32Array(width);
  for (let i = from * width; i < data.length; i += 1) {
    const column = i % width;
    sum[column] = (sum[column] ?? 0) + (data[i] ?? 0);
  }
  return sum;
}
