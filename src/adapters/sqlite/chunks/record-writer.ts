import type { Database } from 'better-sqlite3';
import {
  type AddedRecords,
  type ChunkRecord,
  countOutcomes,
  hashWhileAdded,
  type RecordOutcome,
} from '../../../domain/transfer/records.js';
import { cjkIndexer } from '../keyword/cjk-index.js';
import { CLAIM, contentHashOf } from './source-rows.js';

/** Adds chunks with what belongs to them, as `StoreRecords.add` says. Must run in a write transaction. */
export function addRecords(
  db: Database,
  records: readonly ChunkRecord[],
  projectPath: string,
): AddedRecords {
  const writer = new RecordWriter(db, projectPath);
  return countOutcomes(records.map((record) => writer.add(record)));
}

class RecordWriter {
  readonly #db: Database;
  readonly #projectPath: string;
  readonly #addToCjkIndex: ReturnType<typeof cjkIndexer>;

  constructor(db: Database, projectPath: string) {
    this.#db = db;
    this.#projectPath = projectPath;
    this.#addToCjkIndex = cjkIndexer(db);
  }

  add(record: ChunkRecord): RecordOutcome {
    const { chunk, contentHash } = record;
    const indexedHash = contentHash === undefined ? '' : this.#rememberSource(record);
    if (indexedHash !== '' && indexedHash !== contentHash) return 'different';
    const present = this.#textOf(chunk.id);
    if (present === undefined) return this.#insert(record);
    const isSame = present.heading === (chunk.heading ?? null) && present.content === chunk.content;
    return isSame ? this.#merge(record) : 'different';
  }

  /** Empty for a source that is being imported, which then counts as changed; otherwise its present hash. */
  #rememberSource(record: ChunkRecord): string {
    const { chunk } = record;
    const known = contentHashOf(this.#db, chunk.sourceFile);
    if (known !== undefined) return known;
    this.#db
      .prepare(
        `INSERT INTO store_sources (source_file, source_type, content_hash, chunk_count)
         VALUES (?, ?, ?, 0)`,
      )
      .run(chunk.sourceFile, chunk.sourceType, hashWhileAdded(record));
    return '';
  }

  #textOf(id: string) {
    return this.#db
      .prepare<[string], { readonly heading: string | null; readonly content: string }>(
        `SELECT CAST(heading AS TEXT) AS heading, CAST(content AS TEXT) AS content
         FROM chunks WHERE id = ?`,
      )
      .get(id);
  }

  #insert(record: ChunkRecord): 'added' {
    const { chunk, contentHash } = record;
    const { lastInsertRowid } = this.#db.prepare(INSERT).run({
      ...chunk,
      ...countsOf(record),
      projectPath: this.#projectPath,
      heading: chunk.heading ?? null,
      tags: chunk.tags === undefined ? null : JSON.stringify(chunk.tags),
    });
    this.#addToCjkIndex({ rowid: lastInsertRowid, heading: null, ...chunk });
    if (contentHash !== undefined) {
      this.#db.prepare(CLAIM).run(chunk.id);
    }
    return 'added';
  }

  #merge(record: ChunkRecord): 'merged' {
    this.#db.prepare(MERGE).run({ id: record.chunk.id, ...countsOf(record) });
    return 'merged';
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
