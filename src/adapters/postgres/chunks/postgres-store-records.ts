import { CHARACTERS_PER_BUDGET_TOKEN, EXPORT_PAGE_MAX_CHARACTERS } from '../../../domain/limits.js';
import { type OrderField, orderSteps } from '../../../domain/overview/chunk-list.js';
import {
  type ChunkCounts,
  type ChunkGroup,
  LAST_STEP,
  TOKENS_PER_STEP,
} from '../../../domain/overview/chunk-survey.js';
import type { AddedRecords, ChunkRecord, SourceRecord } from '../../../domain/transfer/records.js';
import type {
  RecordList,
  RecordPage,
  RecordQuery,
  StoreRecords,
} from '../../../ports/driven/store-records.js';
import type { ProjectContext } from '../database/project-database.js';
import type { OptionalIndexes } from '../indexes/optional-indexes.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk } from './chunk-rows.js';
import { addRecordSources, addRecords } from './record-writer.js';

interface RecordRow extends ChunkRow {
  readonly no: number;
  /** Rows of the page before long texts cut it. */
  readonly page_rows: number;
  readonly is_owned: boolean;
  readonly content_hash: string | null;
  readonly retrieval_count: number | null;
  readonly last_retrieved_at: Date | null;
  readonly questions: readonly string[] | null;
}

/** Everything in the tables of one project, in the order of the numbers of chunks. */
export class PostgresStoreRecords implements StoreRecords {
  readonly #project: ProjectContext;
  readonly #indexes: OptionalIndexes;

  constructor(project: ProjectContext, indexes: OptionalIndexes) {
    this.#project = project;
    this.#indexes = indexes;
  }

  async page(after: string | undefined, limit: number): Promise<RecordPage> {
    const { database, schema, projectPath } = this.#project;
    const rows = await database.rows<RecordRow>(
      `SELECT c.page_rows, ${RECORD_COLUMNS}
         FROM (SELECT p.*, sum(length(content)) OVER (ORDER BY no) AS characters,
             count(*) OVER () AS page_rows
           FROM (SELECT * FROM ${schema}.chunks WHERE no > $1 ORDER BY no LIMIT $2) p) c
         ${recordJoins(schema)}
         WHERE c.characters - length(c.content) <= ${EXPORT_PAGE_MAX_CHARACTERS} ORDER BY c.no`,
      [after ?? '0', limit],
    );
    const last = rows.at(-1);
    const records = rows.map((row) => toRecord(row, projectPath));
    const isCut = rows.length === limit || rows.length < Number(last?.page_rows ?? 0);
    return isCut && last !== undefined ? { records, next: String(last.no) } : { records };
  }

  async list({ order, limit, offset, ...filter }: RecordQuery): Promise<RecordList> {
    const { database, schema, projectPath } = this.#project;
    const { sourceType = null, sourceFile = null } = filter;
    const orderBy = orderSteps(order).map(
      ([field, direction]) => `${ORDER_COLUMNS[field]} ${direction} NULLS ${NULLS[direction]}`,
    );
    const isListed = `($1::text IS NULL OR c.source_type = $1) AND ($2::text IS NULL OR c.source_file = $2)`;
    const rows = await database.rows<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM ${schema}.chunks c ${recordJoins(schema)}
       WHERE ${isListed} ORDER BY ${orderBy.join(', ')} LIMIT $3 OFFSET $4`,
      [sourceType, sourceFile, limit, offset],
    );
    const [counted] = await database.rows<{ readonly total: number }>(
      `SELECT count(*) AS total FROM ${schema}.chunks c WHERE ${isListed}`,
      [sourceType, sourceFile],
    );
    const records = rows.map((row) => toRecord(row, projectPath));
    return { total: counted?.total ?? 0, records };
  }

  async counts(): Promise<ChunkCounts> {
    const { database, schema } = this.#project;
    const groups = await database.rows<ChunkGroup>(
      `SELECT c.source_type AS "sourceType",
         least(${LAST_STEP}, (greatest(1, length(c.content)) - 1) / ${TOKENS_PER_STEP * CHARACTERS_PER_BUDGET_TOKEN})
           AS "sizeStep",
         count(*) AS chunks, sum(${TOKENS})::bigint AS tokens, sum(${RETRIEVALS})::bigint AS retrievals,
         count(*) FILTER (WHERE ${RETRIEVALS} = 0) AS "neverRetrieved"
       FROM ${schema}.chunks c LEFT JOIN ${schema}.retrievals r ON r.chunk_no = c.no GROUP BY 1, 2`,
    );
    const lastRetrieved = await database.rows<{ readonly day: string; readonly chunks: number }>(
      `SELECT to_char(last_retrieved_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS chunks
       FROM ${schema}.retrievals WHERE last_retrieved_at IS NOT NULL GROUP BY 1 ORDER BY 1`,
    );
    return { groups, lastRetrieved };
  }

  add(records: readonly ChunkRecord[]): Promise<AddedRecords> {
    const { schema } = this.#project;
    return this.#indexes.write((session) => addRecords(session, schema, records));
  }

  addSources(sources: readonly SourceRecord[]): Promise<void> {
    const { database, schema } = this.#project;
    return database.transaction((session) => addRecordSources(session, schema, sources));
  }
}

/** The columns of a {@link RecordRow}, of tables named `c`, `s`, `r` and `q`. */
const RECORD_COLUMNS = `c.no, c.is_owned, s.content_hash, r.retrieval_count, r.last_retrieved_at,
  q.texts AS questions, ${CHUNK_COLUMNS}`;

function recordJoins(schema: string): string {
  return `LEFT JOIN ${schema}.sources s ON s.source_file = c.source_file
    LEFT JOIN ${schema}.retrievals r ON r.chunk_no = c.no
    LEFT JOIN ${schema}.questions q ON q.chunk_no = c.no`;
}

const TOKENS = `(length(c.content) + ${CHARACTERS_PER_BUDGET_TOKEN - 1}) / ${CHARACTERS_PER_BUDGET_TOKEN}`;
const RETRIEVALS = 'coalesce(r.retrieval_count, 0)';

const ORDER_COLUMNS: Readonly<Record<OrderField, string>> = {
  sourceFile: 'c.source_file COLLATE "C"',
  chunkIndex: 'c.chunk_index',
  id: 'c.id COLLATE "C"',
  tokens: TOKENS,
  updatedAt: 'c.updated_at',
  retrievals: RETRIEVALS,
  lastRetrievedAt: 'r.last_retrieved_at',
};

const NULLS = { ASC: 'FIRST', DESC: 'LAST' } as const;

function toRecord(row: RecordRow, projectPathOfRow: string): ChunkRecord {
  const { projectPath: _, ...chunk } = toChunk(row, projectPathOfRow);
  const { questions } = row;
  return {
    chunk,
    ...(row.is_owned && { contentHash: row.content_hash ?? '' }),
    retrievalCount: row.retrieval_count ?? 0,
    ...(row.last_retrieved_at && { lastRetrievedAt: row.last_retrieved_at.toISOString() }),
    ...(questions !== null && questions.length > 0 && { questions }),
  };
}
