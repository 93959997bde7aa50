import { KnowledgeError } from '../../domain/errors.js';
import { EXPORT_LINE_MAX_BYTES } from '../../domain/limits.js';
import type { OpenFile } from './open-file.js';

const LINE_FEED = 0x0a;
const BYTES_AT_ONCE = 256 * 1024;

/**
 * The lines of an open file without their line breaks, read as they are needed; the last one may lack its
 * line break.
 * @throws KnowledgeError `not_readable` for a line that is too long or not in UTF-8
 */
export async function* linesOf(file: OpenFile): AsyncGenerator<string> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const bytes of blocksOf(file)) {
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      yield decoded([...pending, bytes.subarray(start, end)]);
      [pending, pendingBytes, start] = [[], 0, end + 1];
    }
    pending.push(bytes.subarray(start));
    pendingBytes += bytes.length - start;
    if (pendingBytes > EXPORT_LINE_MAX_BYTES) throw unreadable('has a line of more than 32 MiB');
  }
  if (pendingBytes > 0) yield decoded(pending);
}

async function* blocksOf(file: OpenFile): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const block = await file.read(position, BYTES_AT_ONCE);
    if (block.length === 0) return;
    position += block.length;
    yield block;
  }
}

function decoded(parts: readonly Buffer[]): string {
  try {
    return UTF8.decode(Buffer.concat(parts));
  } catch {
    throw unreadable('is not encoded as UTF-8');
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function unreadable(reason: string): KnowledgeError {
  return new KnowledgeError('not_readable', `The file ${reason}; check that it is an export.`);
}
