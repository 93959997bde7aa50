import type { Database } from 'better-sqlite3';
import {
  type AddedRecords,
  type ChunkRecord,
  type ChunkText,
  type NewSource,
  type PresentRecords,
  planRecords,
} from '../../../domain/transfer/records.js';
import { cjkIndexer } from '../keyword/cjk-index.js';
import { CLAIM } from './source-rows.js';

/** Adds chunks with what belongs to them, as `StoreRecords.add` says. Must run in a write transaction. */
export function addRecords(
  db: Database,
  records: readonly ChunkRecord[],
  projectPath: string,
): AddedRecords {
  const plan = planRecords(records, presentRecords(db, records));
  addSources(db, plan.sources);
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
    .prepare<[string], TextRow>(
      `SELECT id, CAST(heading AS TEXT) AS heading, CAST(content AS TEXT) AS content
       FROM chunks WHERE id IN (SELECT value ->> 'id' FROM json_each(?))`,
    )
    .all(JSON.stringify(chunks));
  return { hashes: new Map(sources), texts: new Map(texts.map((row) => [row.id, textOf(row)])) };
}

interface TextRow {
  readonly id: string;
  readonly heading: string | null;
  readonly content: string;
}

function textOf({ heading, content }: TextRow): ChunkText {
  return { content, ...(heading !== null && { heading }) };
}

function addSources(db: Database, sources: readonly NewSource[]): void {
  const add = db.prepare(
    `INSERT INTO store_sources (source_file, source_type, content_hash, chunk_count)
     VALUES (@sourceFile, @sourceType, @contentHash, 0)`,
  );
  for (const source of sources) add.run({ ...source });
}

function insertRecords(db: Database, records: readonly ChunkRecord[], projectPath: string): void {
  const insert = db.prepare(INSERT);
  const claim = db.prepare(CLAIM);
  const addToCjkIndex = cjkIndexer(db);
  for (const record of records) {
    const { chunk, contentHash } = record;
    const { lastInsertRowid } = insert.run({
      ...chunk,
      ...countsOf(record),
      projectPath,
      heading: chunk.heading ?? null,
      tags: chunk.tags === undefined ? null : JSON.stringify(chunk.tags),
    });
    addToCjkIndex({ rowid: lastInsertRowid, heading: null, ...chunk });
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
