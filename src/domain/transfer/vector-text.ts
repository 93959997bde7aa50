import type { Vector } from '../ranking/vector.js';

/** A vector as text: base64 of little-endian 32-bit floats. */
export function toVectorText(vector: Vector): string {
  const bytes = new Uint8Array(vector.length * BYTES_PER_VALUE);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of vector.entries()) view.setFloat32(i * BYTES_PER_VALUE, value, true);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The vector that a text stands for; undefined for anything else. */
export function vectorFrom(text: unknown): Vector | undefined {
  const bytes = typeof text === 'string' ? decoded(text) : '';
  const length = bytes.length / BYTES_PER_VALUE;
  if (length === 0 || !Number.isInteger(length)) return undefined;
  const view = new DataView(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)).buffer);
  return Float32Array.from({ length }, (_, i) => view.getFloat32(i * BYTES_PER_VALUE, true));
}

const BYTES_PER_VALUE = 4;

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}
