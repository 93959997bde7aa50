import { endianness } from 'node:os';
import { dot, type Vector } from '../../../domain/ranking/vector.js';

/** A vector as it is stored: little-endian 32-bit floats (docs/specification.md, "Embedding component"). */
export function toBlob(vector: Vector): Buffer {
  const bytes = Buffer.from(Float32Array.from(vector).buffer);
  return endianness() === 'LE' ? bytes : bytes.swap32();
}

/**
 * Reads a vector from a blob. Undefined if the blob has another size or values that are not finite, or if the square of
 * the vector's length is zero or infinite as a 32-bit float, the precision in which vectors are compared.
 */
export function toVector(blob: unknown, dimensions: number): Vector | undefined {
  if (!(blob instanceof Uint8Array) || blob.byteLength !== dimensions * BYTES_PER_VALUE) {
    return undefined;
  }
  const vector = readFloats(blob);
  const square = Math.fround(dot(vector, vector));
  return square > 0 && Number.isFinite(square) ? vector : undefined;
}

/**
 * Shares the memory of the blob if possible: adopting a database reads one blob per chunk, and would spend most of that
 * time on copying them.
 */
function readFloats(blob: Uint8Array): Float32Array {
  const isReadable = endianness() === 'LE' && blob.byteOffset % BYTES_PER_VALUE === 0;
  const bytes = isReadable ? blob : Uint8Array.from(blob);
  if (endianness() === 'BE') Buffer.from(bytes.buffer).swap32();
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / BYTES_PER_VALUE);
}

const BYTES_PER_VALUE = 4;

/** SQL for whether a value has the size of a vector with this many dimensions. */
export function isVector(value: string, dimensions: number): string {
  return `(typeof(${value}) = 'blob' AND length(${value}) = ${dimensions * BYTES_PER_VALUE})`;
}
