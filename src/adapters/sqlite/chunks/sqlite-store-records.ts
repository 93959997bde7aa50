import type { Database } from 'better-sqlite3';
import { EMBEDDED_MAX_CHARACTERS, EXPORT_PAGE_MAX_CHARACTERS } from '../../../domain/limits.js';
import type { AddedRecords, ChunkRecord, SourceRecord } from '../../../domain/transfer/records.js';
import type { RecordPage, StoreRecords } from '../../../ports/driven/store-records.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { changeChunks } from '../keyword/cjk-index.js';
import {
  type ChunkRow,
  HAS_ID,
  parseStrings,
  QUESTIONS,
  toChunk,
  toIsoDate,
  WHOLE_CHUNK_COLUMNS,
} from './chunk-rows.js';
import { addRecords } from './record-writer.js';
import { rememberSupersession } from './source-rows.js';

/** Everything in the tables, in the order of rows. */
export class SqliteStoreRecords implements StoreRecords {
  readonly #database: ProjectDatabase;
  readonly #projectPath: string;

  constructor(database: ProjectDatabase, projectPath: string) {
    this.#database = database;
    this.#projectPath = projectPath;
  }

  page(after: string | undefined, limit: number): Promise<RecordPage> {
    return this.#database.read((db) => readPage(db, after, limit));
  }

  add(records: readonly ChunkRecord[]): Promise<AddedRecords> {
    return this.#database.writeMuch((db) =>
      changeChunks(db, () => addRecords(db, records, this.#projectPath)),
    );
  }

  async addSources(sources: readonly SourceRecord[]): Promise<void> {
    await this.#database.write((db) => {
      const add = db.prepare(
        `INSERT INTO store_sources (source_file, source_type, content_hash, chunk_count)
         VALUES (@sourceFile, @sourceType, @contentHash, @documentChunkCount)
         ON CONFLICT (source_file) DO UPDATE SET source_type = excluded.source_type,
           content_hash = excluded.content_hash, chunk_count = excluded.chunk_count
         WHERE content_hash IN ('', excluded.content_hash)`,
      );
      for (const source of sources) {
        const { sourceFile, sourceType, contentHash, documentChunkCount } = source;
        const { changes } = add.run({ sourceFile, sourceType, contentHash, documentChunkCount });
        if (changes > 0) rememberSupersession(db, source);
      }
    });
  }
}

function readPage(db: Database, after: string | undefined, limit: number): RecordPage {
  const rows = db
    .prepare<[number, number], RecordRow>(
      `SELECT c.rowid AS place, ${RECORD_COLUMNS} FROM chunks c
       LEFT JOIN store_owned o ON o.chunk_id = c.id
       LEFT JOIN store_sources s ON s.source_file = c.source_file
       WHERE c.rowid > ? AND ${HAS_ID} AND octet_length(c.id) <= ${ID_MAX_BYTES}
         AND instr(c.id, char(0)) = 0
       ORDER BY c.rowid LIMIT ?`,
    )
    .iterate(Number(after ?? BEFORE_ALL), limit);
  const records: ChunkRecord[] = [];
  let characters = 0;
  for (const row of rows) {
    const record = toRecord(row);
    records.push(record);
    characters += record.chunk.content.length;
    if (records.length === limit || characters > EXPORT_PAGE_MAX_CHARACTERS) {
      return { records, next: String(row.place) };
    }
  }
  return { records };
}

/** Rowids may be negative. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;
const ID_MAX_BYTES = 4096;

/** A chunk with everything that belongs to it, and its place among all rows. */
export interface RecordRow extends ChunkRow {
  readonly place: number;
  readonly retrieval_count: number;
  readonly last_retrieved_at: string | null;
  readonly questions: string | null;
  readonly is_owned: number;
  readonly content_hash: string | null;
}

/** The columns of a {@link RecordRow}, of tables named `c`, `o` and `s`. */
export const RECORD_COLUMNS = `${WHOLE_CHUNK_COLUMNS}, ${QUESTIONS} AS questions,
  iif(typeof(c.retrieval_count) = 'integer' AND c.retrieval_count BETWEEN 0 AND 2147483647,
    c.retrieval_count, 0) AS retrieval_count,
  iif(octet_length(c.last_retrieved_at) <= ${EMBEDDED_MAX_CHARACTERS},
    CAST(c.last_retrieved_at AS TEXT), NULL) AS last_retrieved_at,
  o.chunk_id IS NOT NULL AS is_owned, s.content_hash AS content_hash`;

export function toRecord(row: RecordRow): ChunkRecord {
  const { projectPath: _, ...chunk } = toChunk(row);
  const questions = parseStrings(row.questions);
  return {
    chunk,
    ...(row.is_owned === 1 && { contentHash: row.content_hash ?? '' }),
    retrievalCount: row.retrieval_count,
    ...(row.last_retrieved_at !== null && { lastRetrievedAt: toIsoDate(row.last_retrieved_at) }),
    ...(questions.length > 0 && { questions }),
  };
}
