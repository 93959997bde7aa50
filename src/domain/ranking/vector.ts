import { HEADER_WEIGHT } from '../limits.js';

/** An embedding: finite 32-bit floats; stored vectors have length 1. */
export type Vector = Float32Array;

/**
 * Cosine similarity, -1 to 1; 0 if either vector is zero or not finite.
 * @throws RangeError for vectors of different dimensions.
 */
export function cosineSimilarity(a: Vector, b: Vector): number {
  const norms = Math.sqrt(dot(a, a) * dot(b, b));
  const cosine = dot(a, b) / norms;
  return Number.isFinite(cosine) ? Math.min(1, Math.max(-1, cosine)) : 0;
}

/**
 * The dot product; for vectors of length 1 this is their cosine.
 * @throws RangeError for vectors of different dimensions.
 */
export function dot(a: Vector, b: Vector): number {
  if (a.length !== b.length) {
    throw new RangeError(`Vectors of ${a.length} and ${b.length} dimensions cannot be compared.`);
  }
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** The vector scaled to length 1; undefined if it is zero or not finite. */
export function normalize(vector: Vector): Vector | undefined {
  const length = vectorLength(vector);
  if (length === undefined) return undefined;
  return vector.map((value) => value / length);
}

/** The average of the vectors, scaled to length 1; undefined if they cancel out or the list is empty. */
export function normalizedMean(vectors: readonly Vector[]): Vector | undefined {
  const [first, ...others] = vectors;
  return first && normalize(others.reduce(add, first));
}

/** A header's vector, maybe from the store, scaled to its weight. */
export function weighedHeader(header: Vector): Vector {
  return (normalize(header) ?? header).map((value) => HEADER_WEIGHT * value);
}

/** The vector compared with a query: chunk vector + HEADER_WEIGHT × header vector, if there is one. */
export function withHeader(vector: Vector, header: Vector | undefined): Vector {
  return header === undefined ? vector : add(vector, header);
}

function add(a: Vector, b: Vector): Vector {
  return a.map((value, i) => value + (b[i] ?? 0));
}

/** Whether a vector may be stored: it has the right number of dimensions, only finite values, and is not zero. */
export function isStorable(vector: Vector, dimensions: number): boolean {
  return vector.length === dimensions && vectorLength(vector) !== undefined;
}

/** Sorts the nearest chunks first, and equally near ones by their ids. */
export function nearestFirst(a: Near, b: Near): number {
  return b.cosine - a.cosine || (a.chunkId < b.chunkId ? -1 : 1);
}

interface Near {
  readonly chunkId: string;
  readonly cosine: number;
}

/** The distribution of a query's cosines over all vectors of a project. */
export interface CosineStatistics {
  readonly mean: number;
  /** Population standard deviation. */
  readonly deviation: number;
}

/** 0 and 0 if there are no cosines. */
export function cosineStatistics(cosines: readonly number[]): CosineStatistics {
  if (cosines.length === 0) return { mean: 0, deviation: 0 };
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  const squares = cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / cosines.length) };
}

/** Euclidean length; undefined if it is zero or not finite. */
function vectorLength(vector: Vector): number | undefined {
  const length = Math.sqrt(dot(vector, vector));
  return Number.isFinite(length) && length > 0 ? length : undefined;
}
