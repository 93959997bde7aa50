import { dot, type Vector } from '../ranking/vector.js';

/** Chunks on a map. */
export const MAP_POINTS_RANGE = { min: 1, max: 2000 } as const;

export interface Point {
  /** -1 to 1. */
  readonly x: number;
  /** -1 to 1. */
  readonly y: number;
}

/**
 * The vectors in the plane of their first two principal components, found by power iteration. Deterministic; equal
 * vectors are equal points.
 */
export function projected(vectors: readonly Vector[]): readonly Point[] {
  const centered = withoutMean(vectors);
  const first = principalAxis(centered, []);
  const second = principalAxis(centered, [first]);
  const xs = scaled(centered.map((vector) => dot(vector, first)));
  const ys = scaled(centered.map((vector) => dot(vector, second)));
  return xs.map((x, index) => ({ x, y: ys[index] ?? 0 }));
}

function withoutMean(vectors: readonly Vector[]): readonly Vector[] {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) addScaled(mean, vector, 1 / vectors.length);
  return vectors.map((vector) => vector.map((value, index) => value - (mean[index] ?? 0)));
}

/** The direction of the greatest variance that is perpendicular to `others`; zero if there is none. */
function principalAxis(centered: readonly Vector[], others: readonly Vector[]): Vector {
  let axis = startOf(centered[0]?.length ?? 0);
  for (let step = 0; step < STEPS; step += 1) {
    const next = new Float32Array(axis.length);
    for (const vector of centered) addScaled(next, vector, dot(vector, axis));
    for (const other of others) addScaled(next, other, -dot(next, other));
    const length = Math.sqrt(dot(next, next));
    if (length < SMALLEST) return new Float32Array(axis.length);
    axis = next.map((value) => value / length);
  }
  return axis;
}

/** Enough for a picture. */
const STEPS = 24;
const SMALLEST = 1e-9;

/** Any direction that is hardly ever perpendicular to the axis. */
function startOf(dimensions: number): Vector {
  return Float32Array.from({ length: dimensions }, (_, index) => 1 + (index % 7) / 7);
}

function addScaled(sum: Vector, vector: Vector, factor: number): void {
  for (let index = 0; index < sum.length; index += 1) {
    sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0) * factor;
  }
}

function scaled(values: readonly number[]): readonly number[] {
  const most = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return most === 0 ? values.map(() => 0) : values.map((value) => value / most);
}
