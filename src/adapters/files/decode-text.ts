import { isUtf8 } from 'node:buffer';
import { storableText, takeTail } from '../../domain/text.js';
import { bytesAt, type OpenFile, RefusedFile } from './inside-project.js';

/**
 * The text of an open file. UTF-16 is recognized by a byte-order mark; everything else must be UTF-8.
 * @throws RefusedFile if the bytes are not valid in the encoding, or more than an eighth of the text is NULs
 */
export function decodeFile(file: OpenFile): string {
  const bytes = bytesAt(file, 0, Number(file.stats.size));
  return storableText(decodeBytes(bytes, detectEncoding(bytes)));
}

/** The last `characters` UTF-16 code units of a text. Reads only the end of the file. */
export function tailOfFile(file: OpenFile, characters: number): string {
  const size = Number(file.stats.size);
  const encoding = detectEncoding(bytesAt(file, 0, 2));
  const start = tailStart(size, characters, encoding);
  const bytes = bytesAt(file, start, size - start);
  const whole = start === 0 ? bytes : fromWholeCharacter(bytes, encoding);
  return takeTail(storableText(decodeBytes(whole, encoding)), characters);
}

/** The line on which the tail of a file begins; undefined if counting would take long, or if the file is not UTF-8. */
export function lineOfTail(file: OpenFile, tail: string): number | undefined {
  const size = Number(file.stats.size);
  if (size > COUNTED_MAX_BYTES || detectEncoding(bytesAt(file, 0, 2)) !== 'utf8') return undefined;
  return countNewlines(bytesAt(file, 0, size)) - countNewlines(tail) + 1;
}

function countNewlines(text: Pick<string | Buffer, 'indexOf'>): number {
  let count = 0;
  for (let at = text.indexOf('\n', 0); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

const COUNTED_MAX_BYTES = 4 * 1024 * 1024;

type Encoding = 'utf8' | 'utf16le' | 'utf16be';

/** Detects the encoding by the first two bytes. */
function detectEncoding(start: Buffer): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf16be';
  return 'utf8';
}

/** Decodes bytes that consist of whole characters. A byte-order mark is kept as the first character. */
function decodeBytes(bytes: Buffer, encoding: Encoding): string {
  const text = encoding === 'utf8' ? decodedUtf8(bytes) : decodedUtf16(bytes, encoding);
  if (countNuls(text) * 8 > text.length) {
    throw new RefusedFile('it is not text, or UTF-16 without a byte-order mark: save it as UTF-8');
  }
  return text;
}

function decodedUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new RefusedFile('it is not encoded as UTF-8: save it as UTF-8');
}

function decodedUtf16(bytes: Buffer, encoding: Encoding): string {
  const ordered = encoding === 'utf16le' || bytes.length % 2 === 1 ? bytes : bytes.swap16();
  const text = ordered.toString('utf16le');
  if (bytes.length % 2 === 0 && text.isWellFormed()) return text;
  throw new RefusedFile('it is damaged UTF-16: save it as UTF-8');
}

function countNuls(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\0'); at !== -1; at = text.indexOf('\0', at + 1)) count += 1;
  return count;
}

/** An offset at or before the last `characters + 1` characters of a file; an even one in UTF-16. */
function tailStart(size: number, characters: number, encoding: Encoding): number {
  const start = Math.max(0, size - (characters + 1) * MAX_BYTES_PER_UNIT);
  return encoding === 'utf8' ? start : start - (start % 2);
}

/** UTF-8 needs at most 3 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** Drops the incomplete character at the start of a tail. */
function fromWholeCharacter(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'utf8') {
    const first = bytes.subarray(0, 4).findIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000);
    return first === -1 ? bytes : bytes.subarray(first);
  }
  const high = bytes[encoding === 'utf16le' ? 1 : 0] ?? 0;
  return (high & 0b1111_1100) === 0b1101_1100 ? bytes.subarray(2) : bytes;
}
