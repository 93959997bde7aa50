import type { Vector } from '../../../domain/ranking/vector.js';

/** A vector as pgvector reads it. */
export function toVectorText(vector: Vector): string {
  return `[${vector.join(',')}]`;
}

/** What `vector_send` returns: the number of dimensions, two bytes of nothing, and big-endian floats. */
export function fromVectorBytes(bytes: Buffer): Vector {
  const vector = new Float32Array(bytes.readUInt16BE(0));
  for (let i = 0; i < vector.length; i += 1) vector[i] = bytes.readFloatBE(HEADER_BYTES + 4 * i);
  return vector;
}

const HEADER_BYTES = 4;
