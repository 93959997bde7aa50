import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

export interface InputLimits {
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

/** The text of a stream. @throws Error where it ends too late, or is larger than it may be */
export async function readInput(stream: Readable, limits?: InputLimits): Promise<string> {
  if (limits === undefined) return (await buffer(stream)).toString();
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of addAbortSignal(limits.signal, stream)) {
    const read = Buffer.from(part);
    parts.push(read);
    bytes += read.length;
    if (bytes > limits.maxBytes) throw new Error('The input is too large.');
  }
  return Buffer.concat(parts).toString();
}
