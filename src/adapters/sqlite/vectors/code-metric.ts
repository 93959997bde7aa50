import { normalized, type Vector } from '../../../domain/ranking/vector.js';

/** A distance between codes, and what it takes to find neighbours by it. */
export interface CodeMetric {
  readonly name: 'l1' | 'l2';
  /** Codes per row of the data tables: with fewer, vec0 is quicker to pick out many. */
  readonly codesPerRow: number;
  /** Codes looked at for each neighbour asked for. */
  readonly surplus: number;
}

/**
 * L2 distances follow those of the vectors closely. sqlite-vec computes L1 distances in two thirds of the
 * time, but they follow less closely, so that more vectors have to be compared exactly
 * (docs/decisions/0015-sqlite-vec.md).
 */
export const L2: CodeMetric = { name: 'l2', codesPerRow: 1024, surplus: 1.5 };
export const L1: CodeMetric = { name: 'l1', codesPerRow: 32, surplus: 16 };

export const CODE_METRICS = [L2, L1] as const;

/** From so many vectors on, comparing more of them exactly takes less time than L1 saves. */
export const L1_FROM = 20_000;

/** Codes per 1; values of a vector of length 1 beyond 0.25 become the largest code, which hardly any are. */
export const CODE_SCALE = 508;

const LARGEST_CODE = 127;

/** The direction of a vector in one signed byte per dimension; undefined where it has no direction. */
export function quantized(vector: Vector): Buffer | undefined {
  const unit = normalized(vector);
  if (unit === undefined) return undefined;
  const codes = new Int8Array(unit.length);
  for (let i = 0; i < unit.length; i += 1) {
    const code = Math.round((unit[i] as number) * CODE_SCALE);
    codes[i] = Math.min(LARGEST_CODE, Math.max(-LARGEST_CODE, code));
  }
  return Buffer.from(codes.buffer);
}
