import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorReason, KnowledgeError, systemErrorCode } from '../../../domain/errors.js';
import type { DatabaseReader, ImportBatch } from '../../../ports/chunk-import.js';
import { readBatches } from '../adoption/read-batches.js';
import type { Taken } from '../adoption/take-rows.js';
import { isDamage, toKnowledgeError } from '../database/errors.js';
import { runTask } from '../process/database-process.js';

/** Reads a database for an import: a separate process converts it into a temporary one with our schema. */
export class SqliteDatabaseReader implements DatabaseReader {
  readonly #dimensions: number;

  /** @param dimensions number of values of a vector */
  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  async *read(path: string): AsyncIterable<ImportBatch> {
    assertIsFile(path);
    const folder = mkdtempSync(join(tmpdir(), 'knowledge-import-'));
    try {
      const into = join(folder, 'knowledge.db');
      const leftOut = await this.#convert(path, into);
      yield* readBatches(into, this.#dimensions);
      yield { chunks: [], sources: [], leftOut };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  async #convert(path: string, into: string): Promise<readonly string[]> {
    try {
      const target = { path, into, projectPath: '', dimensions: this.#dimensions };
      return (await runTask<Taken>({ kind: 'convert', target })).leftOut;
    } catch (error) {
      if (!isDamage(error)) throw toKnowledgeError(error);
      throw new KnowledgeError(
        'not_readable',
        `The file is not a database, or is damaged (${errorReason(error)}).`,
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
  throw new KnowledgeError('not_found', 'The file to import does not exist.');
}
