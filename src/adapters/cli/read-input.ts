import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

export interface InputLimits {
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

/** Reads the text of a stream. @throws Error if it does not end in time, is too large or is not UTF-8 */
export async function readInput(stream: Readable, limits?: InputLimits): Promise<string> {
  if (limits === undefined) return decodeInput(await buffer(stream));
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of addAbortSignal(limits.signal, stream)) {
    const read = Buffer.from(part);
    parts.push(read);
    bytes += read.length;
    if (bytes > limits.maxBytes) throw new Error('The input is too large.');
  }
  return decodeInput(Buffer.concat(parts));
}

/** @throws Error for anything but UTF-8, and for text with NULs, such as UTF-16 without a byte-order mark */
function decodeInput(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Reported below.
  }
  throw new Error(
    'Standard input is not UTF-8 text; convert it first, for example with "iconv -f UTF-16 -t UTF-8".',
  );
}
