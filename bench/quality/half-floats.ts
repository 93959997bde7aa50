/** Reads little-endian IEEE 754 half-precision floats. */
export function readHalfFloats(bytes: Buffer): Float32Array {
  const values = new Float32Array(bytes.byteLength / 2);
  for (let i = 0; i < values.length; i += 1) values[i] = toNumber(bytes.readUInt16LE(2 * i));
  return values;
}

function toNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
