import { normalized, type Vector } from '../../../domain/ranking/vector.js';

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
