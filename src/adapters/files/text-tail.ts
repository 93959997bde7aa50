import type { Encoding } from './decode-text.js';

/** An even offset at or before the last `characters + 1` characters of a file. */
export function tailStart(size: number, characters: number, encoding: Encoding): number {
  const start = Math.max(0, size - (characters + 1) * MAX_BYTES_PER_UNIT);
  return encoding === 'utf8' ? start : start - (start % 2);
}

/** Drops the incomplete character at the start of a tail. */
export function fromWholeCharacter(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'utf8') {
    const first = bytes.subarray(0, 4).findIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000);
    return first === -1 ? bytes : bytes.subarray(first);
  }
  const high = bytes[encoding === 'utf16le' ? 1 : 0] ?? 0;
  return (high & 0b1111_1100) === 0b1101_1100 ? bytes.subarray(2) : bytes;
}

/** UTF-8 needs at most 3 bytes per UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;
