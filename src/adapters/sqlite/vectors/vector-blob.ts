import { endianness } from 'node:os';
import { isStorable, type Vector } from '../../../domain/ranking/vector.js';

/** A vector as it is stored: little-endian 32-bit floats (specification, "Embedding record"). */
export function toBlob(vector: Vector): Buffer {
  const bytes = Buffer.from(Float32Array.from(vector).buffer);
  return endianness() === 'LE' ? bytes : bytes.swap32();
}

/** The vector of a blob; undefined where it has another size, no length, or values that are not finite. */
export function toVector(blob: unknown, dimensions: number): Vector | undefined {
  if (!(blob instanceof Uint8Array) || blob.byteLength !== dimensions * 4) {
    return undefined;
  }
  const bytes = Buffer.alloc(blob.byteLength);
  bytes.set(blob);
  if (endianness() === 'BE') bytes.swap32();
  const vector = new Float32Array(bytes.buffer, bytes.byteOffset, dimensions);
  return isStorable(vector, dimensions) ? vector : undefined;
}
