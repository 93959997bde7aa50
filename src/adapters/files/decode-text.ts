import { isUtf8 } from 'node:buffer';
import { RefusedFile } from './inside-project.js';

/** UTF-16 is recognized by the byte-order mark at the start of a file; everything else must be UTF-8. */
export type Encoding = 'utf8' | 'utf16le' | 'utf16be';

/** The encoding of a file, by its first two bytes. */
export function encodingOf(start: Buffer): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf16be';
  return 'utf8';
}

/**
 * Decodes bytes that consist of whole characters; a byte-order mark is kept as the first character.
 * @throws RefusedFile for bytes that are not valid in the encoding, and for data that is largely NULs
 */
export function decodeText(bytes: Buffer, encoding: Encoding): string {
  const text = encoding === 'utf8' ? decodeUtf8(bytes) : decodeUtf16(bytes, encoding);
  if (countNuls(text) * 8 > text.length) {
    throw new RefusedFile('it is not text, or UTF-16 without a byte-order mark: save it as UTF-8');
  }
  return text;
}

function decodeUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new RefusedFile('it is not encoded as UTF-8: save it as UTF-8');
}

function decodeUtf16(bytes: Buffer, encoding: Encoding): string {
  if (bytes.length % 2 === 1) throw new RefusedFile(BROKEN_UTF_16);
  const text = (encoding === 'utf16le' ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
  if (text.isWellFormed()) return text;
  throw new RefusedFile(BROKEN_UTF_16);
}

const BROKEN_UTF_16 = 'it is damaged UTF-16: save it as UTF-8';

function countNuls(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\0'); at !== -1; at = text.indexOf('\0', at + 1)) count += 1;
  return count;
}
