import type {
  ChunkImport,
  ImportCounts,
  ImportedChunk,
  ImportedSource,
} from '../../../ports/chunk-import.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { addChunks, addSources, type ImportTarget } from './import-rows.js';

/** Imports another database. */
export class SqliteChunkImport implements ChunkImport {
  readonly #database: SqliteDatabase;
  readonly #target: ImportTarget;

  constructor(database: SqliteDatabase, target: ImportTarget) {
    this.#database = database;
    this.#target = target;
  }

  addChunks(chunks: readonly ImportedChunk[]): Promise<ImportCounts> {
    return this.#database.write((db) => addChunks(db, chunks, this.#target));
  }

  addSources(sources: readonly ImportedSource[]): Promise<void> {
    return this.#database.write((db) => addSources(db, sources));
  }
}
