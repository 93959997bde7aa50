import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Duplex, Readable } from 'node:stream';
import zlib from 'node:zlib';
import { isRecord } from '../../domain/records.js';
import type { SkippedTranscript } from '../../ports/transcripts.js';

/**
 * One line of a file. `value` is undefined if the line is not a JSON object, or is too long to be parsed. `bytes` is 0
 * for a blank line, and for a last line that the agent may not have finished.
 */
export interface JsonLine {
  readonly value: Readonly<Record<string, unknown>> | undefined;
  readonly bytes: number;
}

/**
 * Calls `onLine` for each line of a file, until it returns `stop`. A line longer than 16 MiB gets no value, and is not
 * kept in memory.
 */
export async function readJsonLines(
  path: string,
  onLine: (line: JsonLine) => 'stop' | undefined,
): Promise<SkippedTranscript | undefined> {
  if (path.endsWith('.zst') && !('createZstdDecompress' in zlib)) return NEEDS_NEWER_NODE;
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return { skipped: 'it is not a file' };
    for await (const line of splitLines(decompress(file, path))) {
      if (onLine(parseLine(line)) === 'stop') break;
    }
    return undefined;
  } catch {
    return { skipped: 'it cannot be read' };
  } finally {
    await file?.close();
  }
}

const NEEDS_NEWER_NODE = { skipped: 'it is compressed, which needs Node 22.15 or newer' };

function decompress(file: FileHandle, path: string): Readable {
  const bytes = file.createReadStream({ autoClose: false });
  if (!path.endsWith('.zst')) return bytes;
  // The types of the oldest supported Node version lack this function.
  const { createZstdDecompress } = zlib as unknown as { createZstdDecompress(): Duplex };
  return bytes.pipe(createZstdDecompress());
}

interface RawLine {
  /** Undefined if the line is too long. */
  readonly content: Buffer | undefined;
  readonly bytes: number;
  /** Whether no line ending follows, so that the agent may not have finished the line. */
  readonly isLast?: true;
}

async function* splitLines(stream: Readable): AsyncGenerator<RawLine> {
  const line = new LineBuffer();
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      line.add(chunk.subarray(start, end));
      yield line.take();
      start = end + 1;
    }
    line.add(chunk.subarray(start));
  }
  yield { ...line.take(), isLast: true };
}

/** Collects the parts of one line, up to a limit. */
class LineBuffer {
  #parts: Buffer[] = [];
  #bytes = 0;

  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= LINE_MAX_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }

  take(): RawLine {
    const isTooLong = this.#bytes > LINE_MAX_BYTES;
    const line = {
      content: isTooLong ? undefined : Buffer.concat(this.#parts),
      bytes: this.#bytes,
    };
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }
}

/** Skips a byte-order mark. */
const UTF8 = new TextDecoder();
const NEWLINE = 0x0a;
const LINE_MAX_BYTES = 16 * 1024 * 1024;

function parseLine({ content, bytes, isLast }: RawLine): JsonLine {
  if (content === undefined) return { value: undefined, bytes };
  try {
    const value: unknown = JSON.parse(UTF8.decode(content));
    return { value: isRecord(value) ? value : undefined, bytes };
  } catch {
    const isNothing = isLast || UTF8.decode(content).trim() === '';
    return { value: undefined, bytes: isNothing ? 0 : bytes };
  }
}
