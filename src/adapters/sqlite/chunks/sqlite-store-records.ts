import type { Database } from 'better-sqlite3';
import { EMBEDDED_MAX_CHARACTERS, EXPORT_PAGE_MAX_CHARACTERS } from '../../../domain/limits.js';
import {
  type AddedRecords,
  type ChunkRecord,
  type PresentRecords,
  planRecords,
  type SourceRecord,
} from '../../../domain/transfer/records.js';
import type { RecordPage, StoreRecords } from '../../../ports/driven/store-records.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { catchUpCjkIndex } from '../keyword/cjk-index.js';
import {
  type ChunkRow,
  HAS_ID,
  parseStrings,
  QUESTIONS,
  toChunk,
  toIsoDate,
  WHOLE_CHUNK_COLUMNS,
} from './chunk-rows.js';
import { CLAIM, rememberSupersession } from './source-rows.js';

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
    return this.#database.write((db) => {
      const added = addRecords(db, records, this.#projectPath);
      catchUpCjkIndex(db);
      return added;
    });
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
interface RecordRow extends ChunkRow {
  readonly place: number;
  readonly retrieval_count: number;
  readonly last_retrieved_at: string | null;
  readonly questions: string | null;
  readonly is_owned: number;
  readonly content_hash: string | null;
}

/** The columns of a {@link RecordRow}, of tables named `c`, `o` and `s`. */
const RECORD_COLUMNS = `${WHOLE_CHUNK_COLUMNS}, ${QUESTIONS} AS questions,
  iif(typeof(c.retrieval_count) = 'integer' AND c.retrieval_count BETWEEN 0 AND 2147483647,
    c.retrieval_count, 0) AS retrieval_count,
  iif(octet_length(c.last_retrieved_at) <= ${EMBEDDED_MAX_CHARACTERS},
    CAST(c.last_retrieved_at AS TEXT), NULL) AS last_retrieved_at,
  o.chunk_id IS NOT NULL AS is_owned, s.content_hash AS content_hash`;

function toRecord(row: RecordRow): ChunkRecord {
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

/** Adds chunks with what belongs to them, as `StoreRecords.add` says. Must run in a write transaction. */
function addRecords(
  db: Database,
  records: readonly ChunkRecord[],
  projectPath: string,
): AddedRecords {
  const plan = planRecords(records, presentRecords(db, records));
  const addSource = db.prepare(
    `INSERT INTO store_sources (source_file, source_type, content_hash, chunk_count)
     VALUES (@sourceFile, @sourceType, @contentHash, 0)`,
  );
  for (const source of plan.sources) addSource.run({ ...source });
  insertRecords(db, plan.added, projectPath);
  const merge = db.prepare(MERGE);
  for (const record of plan.merged) merge.run({ id: record.chunk.id, ...countsOf(record) });
  return plan.counts;
}

function presentRecords(db: Database, records: readonly ChunkRecord[]): PresentRecords {
  const chunks = records.map(({ chunk: { id, sourceFile } }) => ({ id, sourceFile }));
  const sources = db
    .prepare<[string], readonly [file: string, hash: string]>(
      `SELECT source_file, content_hash FROM store_sources
       WHERE source_file IN (SELECT value ->> 'sourceFile' FROM json_each(?))`,
    )
    .raw()
    .all(JSON.stringify(chunks));
  const texts = db
    .prepare<[string], readonly [id: string, heading: string | null, content: string]>(
      `SELECT id, CAST(heading AS TEXT) AS heading, CAST(content AS TEXT) AS content
       FROM chunks WHERE id IN (SELECT value ->> 'id' FROM json_each(?))`,
    )
    .raw()
    .all(JSON.stringify(chunks))
    .map(([id, heading, content]) => {
      return [id, { content, ...(heading !== null && { heading }) }] as const;
    });
  return { hashes: new Map(sources), texts: new Map(texts) };
}

function insertRecords(db: Database, records: readonly ChunkRecord[], projectPath: string): void {
  const insert = db.prepare(INSERT);
  const claim = db.prepare(CLAIM);
  for (const record of records) {
    const { chunk, contentHash } = record;
    insert.run({
      ...chunk,
      ...countsOf(record),
      projectPath,
      heading: chunk.heading ?? null,
      tags: chunk.tags === undefined ? null : JSON.stringify(chunk.tags),
    });
    if (contentHash !== undefined) claim.run(chunk.id);
  }
}

function countsOf({ retrievalCount, lastRetrievedAt, questions }: ChunkRecord) {
  return {
    retrievalCount,
    lastRetrievedAt: lastRetrievedAt ?? null,
    questions: questions === undefined ? null : JSON.stringify(questions),
  };
}

const INSERT = `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading,
    content, tags, importance, created_at, updated_at, last_retrieved_at, retrieval_count, hype_queries)
  VALUES (@id, @sourceType, @sourceFile, @projectPath, @chunkIndex, @heading,
    @content, @tags, @importance, @createdAt, @updatedAt, @lastRetrievedAt, @retrievalCount, @questions)`;

/** Times are ISO 8601 in UTC, so the later one is the greater text. */
const MERGE = `UPDATE chunks SET
    retrieval_count = max(retrieval_count, @retrievalCount),
    last_retrieved_at = nullif(max(coalesce(last_retrieved_at, ''), coalesce(@lastRetrievedAt, '')), ''),
    hype_queries = coalesce(hype_queries, @questions)
  WHERE id = @id`;
