import { closeSync } from 'node:fs';
import { KnowledgeError } from '../../domain/errors.js';
import type { ExportFiles } from '../../ports/driven/export-files.js';
import { bytesAt, type OpenFile, openInside, RefusedFile } from './inside-project.js';
import { createInside } from './write-inside.js';

/** Files of any size inside projects; no link out of the project is followed. */
export class FileSystemExportFiles implements ExportFiles {
  create(projectPath: string, path: string, lines: AsyncIterable<string>): Promise<boolean> {
    return createInside(projectPath, path, { content: withEnds(lines), mode: PRIVATE });
  }

  async *lines(projectPath: string, path: string): AsyncGenerator<string> {
    const file = openOrRefuse(projectPath, path);
    try {
      yield* linesOf(file);
    } finally {
      closeSync(file.descriptor);
    }
  }
}

/** An export has everything that the database has, which only its owner may read. */
const PRIVATE = 0o600;

async function* withEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

function openOrRefuse(projectPath: string, path: string): OpenFile {
  try {
    const file = openInside(projectPath, path);
    if (file !== undefined) return file;
  } catch (cause) {
    if (!(cause instanceof RefusedFile)) throw cause;
    throw new KnowledgeError('not_readable', `The file cannot be read: ${cause.message}.`, {
      cause,
    });
  }
  throw new KnowledgeError('not_found', `There is no file ${path}.`);
}

/** The last line may lack its line break. */
function* linesOf(file: OpenFile): Generator<string> {
  let pending = Buffer.alloc(0);
  for (let position = 0; ; ) {
    const block = bytesAt(file, position, BYTES_AT_ONCE);
    if (block.length === 0) break;
    position += block.length;
    pending = Buffer.concat([pending, block]);
    let start = 0;
    for (let end = pending.indexOf(LINE_FEED); end >= 0; end = pending.indexOf(LINE_FEED, start)) {
      yield decoded(pending.subarray(start, end));
      start = end + 1;
    }
    pending = pending.subarray(start);
    if (pending.length > LINE_MAX_BYTES) throw unreadable('has a line of more than 24 MiB');
  }
  if (pending.length > 0) yield decoded(pending);
}

const LINE_FEED = 0x0a;
const BYTES_AT_ONCE = 1024 * 1024;
/** A line holds one chunk: the longest text that a search may return, with six bytes for each character, and its other fields. */
const LINE_MAX_BYTES = 24 * 1024 * 1024;

function decoded(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw unreadable('is not encoded as UTF-8');
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function unreadable(reason: string): KnowledgeError {
  return new KnowledgeError('not_readable', `The file ${reason}; check that it is an export.`);
}
