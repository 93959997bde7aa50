import { statSync } from 'node:fs';
import { KnowledgeError, reasonOf, systemErrorCode } from '../../../domain/errors.js';
import type { DatabaseReader, ImportBatch } from '../../../ports/chunk-import.js';
import { isDamage, toKnowledgeError } from '../database/errors.js';
import { messagesOf } from '../process/database-process.js';

/** Reads databases in a separate process, which is killed when it makes no progress. */
export class SqliteDatabaseReader implements DatabaseReader {
  readonly #dimensions: number;

  /** @param dimensions values of a vector */
  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  async *read(path: string): AsyncIterable<ImportBatch> {
    assertIsFile(path);
    const task = { kind: 'read', path, dimensions: this.#dimensions } as const;
    try {
      for await (const message of messagesOf(task)) {
        if (message.kind === 'step') yield message.value as ImportBatch;
      }
    } catch (error) {
      if (!isDamage(error)) throw toKnowledgeError(error);
      throw new KnowledgeError(
        'not_readable',
        `The file is not a database, or is damaged (${reasonOf(error)}).`,
        { cause: error },
      );
    }
  }
}

function assertIsFile(path: string): void {
  try {
    if (statSync(path).isFile()) return;
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error))) throw toKnowledgeError(error);
  }
  throw new KnowledgeError('not_found', 'There is no such file to import.');
}
