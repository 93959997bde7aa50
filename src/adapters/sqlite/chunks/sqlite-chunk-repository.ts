import type { Database } from 'better-sqlite3';
import type { Chunk, SourceDocument } from '../../../domain/chunks/chunk.js';
import { embeddingText } from '../../../domain/chunks/chunk.js';
import { type Expression, looksInRuns } from '../../../domain/query/query.js';
import type { StoreStats } from '../../../domain/stats.js';
import type {
  ChunkFilter,
  ChunkRepository,
  IndexedSource,
  KeywordHit,
  QuestionlessChunk,
  ReplaceOutcome,
  StaleChunk,
} from '../../../ports/driven/chunk-repository.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type { ProjectDatabase } from '../database/project-database.js';
import {
  catchUpCjkIndex,
  changeChunks,
  isCjkIndexBehind,
  rebuildCjkIndex,
} from '../keyword/cjk-index.js';
import { findKeywordHits, scoreChunks } from '../keyword/keyword-search.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk, toIsoDate } from './rows.js';
import { deleteChunks, removeSource, writeSource } from './source-writer.js';
import { readStats } from './stats-reader.js';

export interface ChunkRepositoryOptions {
  readonly projectPath: string;
  readonly dbPath: string;
  /** The embedding model whose vectors count. */
  readonly model: string;
  /** Of its vectors. */
  readonly dimensions: number;
  readonly clock: Clock;
}

/** The chunks of one project in SQLite. */
export class SqliteChunkRepository implements ChunkRepository {
  readonly #database: ProjectDatabase;
  readonly #options: ChunkRepositoryOptions;

  constructor(database: ProjectDatabase, options: ChunkRepositoryOptions) {
    this.#database = database;
    this.#options = options;
  }

  replaceSource(
    sourceFile: string,
    read: () => Promise<SourceDocument | undefined>,
  ): Promise<ReplaceOutcome> {
    return this.#database.write(async (db) => {
      const document = await read();
      if (document === undefined) {
        await changeChunks(db, () => removeSource(db, sourceFile));
        return 'gone';
      }
      const known = db
        .prepare('SELECT content_hash FROM store_sources WHERE source_file = ?')
        .pluck()
        .get(sourceFile);
      if (known === document.contentHash) return 'unchanged';
      const context = { projectPath: this.#options.projectPath, now: this.#now() };
      await changeChunks(db, () => writeSource(db, document, context));
      return 'indexed';
    });
  }

  indexedSources(): Promise<readonly IndexedSource[]> {
    return this.#database.read((db) =>
      db
        .prepare<[], IndexedSource>(
          `SELECT source_type AS sourceType, source_file AS sourceFile,
             content_hash AS contentHash, chunk_count AS chunkCount FROM store_sources`,
        )
        .all(),
    );
  }

  async searchKeyword(
    expression: Expression,
    filter: ChunkFilter,
    limit: number,
  ): Promise<readonly KeywordHit[]> {
    if (looksInRuns(expression)) await this.#catchUpCjkIndex();
    return this.#database.read((db) => findKeywordHits(db, { expression, filter, limit }));
  }

  scoreKeyword(
    expression: Expression,
    chunkIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    return this.#database.read((db) => scoreChunks(db, expression, chunkIds));
  }

  getChunks(ids: readonly string[]): Promise<readonly Chunk[]> {
    return this.#database.read((db) =>
      db
        .prepare<[string], ChunkRow>(
          `SELECT ${CHUNK_COLUMNS} FROM json_each(?) j JOIN chunks c ON c.id = j.value ORDER BY j.key`,
        )
        .all(JSON.stringify(ids))
        .map(toChunk),
    );
  }

  async markRetrieved(ids: readonly string[], at: Date): Promise<void> {
    if (ids.length === 0) return;
    await this.#database.write((db) =>
      db
        .prepare(
          `UPDATE chunks SET retrieval_count = retrieval_count + 1, last_retrieved_at = ?
           WHERE id IN (SELECT value FROM json_each(?))`,
        )
        .run(at.toISOString(), JSON.stringify(ids)),
    );
  }

  findNeverRetrievedBefore(before: Date): Promise<readonly StaleChunk[]> {
    return this.#database.read((db) => staleChunks(db, before));
  }

  deleteNeverRetrievedBefore(before: Date): Promise<readonly StaleChunk[]> {
    return this.#database.write(async (db) => {
      const stale = staleChunks(db, before);
      const ids = stale.map(({ id }) => id);
      await changeChunks(db, () => deleteChunks(db, ids));
      return stale;
    });
  }

  findWithoutQuestions(limit: number): Promise<readonly QuestionlessChunk[]> {
    return this.#database.read((db) =>
      db
        .prepare<[string, number, number], ChunkRow>(
          `SELECT ${CHUNK_COLUMNS} FROM chunks c JOIN embeddings e ON e.chunk_id = c.id
           WHERE c.hype_queries IS NULL AND c.hype_embeddings IS NULL
             AND e.model = ? AND is_vector(e.embedding, ?)
           ORDER BY c.created_at DESC, c.rowid DESC LIMIT ?`,
        )
        .all(this.#options.model, this.#options.dimensions, limit)
        .map((row) => ({ id: row.id, text: embeddingText(toChunk(row)) })),
    );
  }

  async saveQuestions(chunk: QuestionlessChunk, questions: readonly string[]): Promise<void> {
    await this.#database.write((db) => {
      const row = db
        .prepare<[string], ChunkRow>(`SELECT ${CHUNK_COLUMNS} FROM chunks c WHERE c.id = ?`)
        .get(chunk.id);
      if (row === undefined || embeddingText(toChunk(row)) !== chunk.text) return;
      db.prepare('UPDATE chunks SET hype_queries = ? WHERE id = ?').run(
        JSON.stringify(questions),
        chunk.id,
      );
    });
  }

  async rebuildIndex(): Promise<void> {
    await this.#database.write(async (db) => {
      db.exec("INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild')");
      await rebuildCjkIndex(db);
    });
  }

  stats(): Promise<StoreStats> {
    return this.#database.read((db) => readStats(db, this.#options.dbPath));
  }

  /** An index that cannot be brought up to date, in a read-only database or on a full disk, still answers. */
  async #catchUpCjkIndex(): Promise<void> {
    try {
      if (await this.#database.read(isCjkIndexBehind)) await this.#database.write(catchUpCjkIndex);
    } catch {
      // The search that follows says what is wrong, if it fails too.
    }
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }
}

/** Dates are compared as moments, since another program may write them in another form. */
function staleChunks(db: Database, before: Date): readonly StaleChunk[] {
  return db
    .prepare<[number], StaleChunk>(
      `SELECT id, source_file AS sourceFile, coalesce(last_retrieved_at, created_at) AS unusedSince
       FROM chunks WHERE retrieval_count = 0
         AND round(unixepoch(coalesce(last_retrieved_at, created_at), 'subsec') * 1000) <= ?
       ORDER BY rowid`,
    )
    .all(before.getTime())
    .map((chunk) => ({ ...chunk, unusedSince: toIsoDate(chunk.unusedSince) }));
}
