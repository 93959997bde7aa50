import type { Database } from 'better-sqlite3';
import type { ChunkCounts } from '../../../domain/overview/chunk-survey.js';
import {
  type AddedRecords,
  type ChunkRecord,
  type PresentRecords,
  planRecords,
  type SourceRecord,
} from '../../../domain/transfer/records.js';
import type {
  RecordList,
  RecordPage,
  RecordQuery,
  StoreRecords,
} from '../../../ports/driven/store-records.js';
import type { ProjectDatabase } from '../database/project-database.js';
import { catchUpCjkIndex } from '../keyword/cjk-index.js';
import { countChunks, listRecords, readPage } from './record-reader.js';
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

  list(query: RecordQuery): Promise<RecordList> {
    return this.#database.read((db) => listRecords(db, query));
  }

  counts(): Promise<ChunkCounts> {
    return this.#database.read(countChunks);
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
