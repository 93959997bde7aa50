import type { Database } from 'better-sqlite3';
import {
  CHARACTERS_PER_BUDGET_TOKEN,
  EMBEDDED_MAX_CHARACTERS,
  EXPORT_PAGE_MAX_CHARACTERS,
} from '../../../domain/limits.js';
import { type OrderField, orderSteps } from '../../../domain/overview/chunk-list.js';
import {
  type ChunkCounts,
  type ChunkGroup,
  type DayCount,
  LAST_STEP,
  TOKENS_PER_STEP,
} from '../../../domain/overview/chunk-survey.js';
import type { ChunkRecord } from '../../../domain/transfer/records.js';
import type { RecordList, RecordPage, RecordQuery } from '../../../ports/driven/store-records.js';
import {
  type ChunkRow,
  HAS_ID,
  parseStrings,
  QUESTIONS,
  RETRIEVALS,
  toChunk,
  toIsoDate,
  WHOLE_CHUNK_COLUMNS,
} from './chunk-rows.js';

/** A condition on a table named `c`: an id that every backend can store. */
const HAS_USUAL_ID = `${HAS_ID} AND octet_length(c.id) <= 4096 AND instr(c.id, char(0)) = 0`;
const RECORD_TABLES = `chunks c LEFT JOIN store_owned o ON o.chunk_id = c.id
  LEFT JOIN store_sources s ON s.source_file = c.source_file`;

/** The next chunks in the order of rows. */
export function readPage(db: Database, after: string | undefined, limit: number): RecordPage {
  const rows = db
    .prepare<[string, number], RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM ${RECORD_TABLES}
       WHERE c.rowid > CAST(? AS INTEGER) AND ${HAS_USUAL_ID}
       ORDER BY c.rowid LIMIT ?`,
    )
    .iterate(after ?? BEFORE_ALL, limit);
  const records: ChunkRecord[] = [];
  let characters = 0;
  for (const row of rows) {
    const record = toRecord(row);
    records.push(record);
    characters += record.chunk.content.length;
    if (records.length === limit || characters > EXPORT_PAGE_MAX_CHARACTERS) {
      return { records, next: row.place };
    }
  }
  return { records };
}

/** Rowids may be negative, and beyond what a number can hold. */
const BEFORE_ALL = String(-(2n ** 63n));

/** One page of the chunks in an order. Only its own rows are read whole. */
export function listRecords(db: Database, query: RecordQuery): RecordList {
  const { order, sourceType = null, sourceFile = null, limit, offset } = query;
  const filter = { sourceType, sourceFile };
  const orderBy = orderSteps(order)
    .map(([field, direction]) => `${ORDER_COLUMNS[field]} ${direction}`)
    .join(', ');
  const total = db
    .prepare<[typeof filter], number>(`SELECT count(*) FROM chunks c WHERE ${IS_LISTED}`)
    .pluck();
  const rows = db.prepare<[typeof filter & Page], RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM ${RECORD_TABLES} WHERE c.rowid IN (
       SELECT c.rowid FROM chunks c WHERE ${IS_LISTED} ORDER BY ${orderBy} LIMIT @limit OFFSET @offset)
     ORDER BY ${orderBy}`,
  );
  return {
    total: total.get(filter) ?? 0,
    records: rows.all({ ...filter, limit, offset }).map(toRecord),
  };
}

type Page = Pick<RecordQuery, 'limit' | 'offset'>;

/** A condition on a table named `c`, with the fields of a query. */
const IS_LISTED = `${HAS_USUAL_ID} AND (@sourceType IS NULL OR c.source_type = @sourceType)
  AND (@sourceFile IS NULL OR c.source_file = @sourceFile)`;

const TOKENS = `(length(c.content) + ${CHARACTERS_PER_BUDGET_TOKEN - 1}) / ${CHARACTERS_PER_BUDGET_TOKEN}`;

const ORDER_COLUMNS: Readonly<Record<OrderField, string>> = {
  sourceFile: 'c.source_file',
  chunkIndex: 'c.chunk_index',
  id: 'c.id',
  tokens: TOKENS,
  updatedAt: 'c.updated_at',
  retrievals: RETRIEVALS,
  lastRetrievedAt: 'c.last_retrieved_at',
};

/** Keeps SQLite from putting the expressions of a subquery into each place that uses them: length() reads a whole text. */
const EACH_ONCE = 'LIMIT -1';

/** Counts over all chunks. */
export function countChunks(db: Database): ChunkCounts {
  const groups = db.prepare<[], ChunkGroup>(
    `SELECT sourceType, min(${LAST_STEP}, max(0, tokens - 1) / ${TOKENS_PER_STEP}) AS sizeStep,
       count(*) AS chunks, sum(tokens) AS tokens, sum(retrievals) AS retrievals,
       sum(retrievals = 0) AS neverRetrieved
     FROM (SELECT CAST(c.source_type AS TEXT) AS sourceType, ${TOKENS} AS tokens,
         ${RETRIEVALS} AS retrievals
       FROM chunks c WHERE ${HAS_USUAL_ID} ${EACH_ONCE})
     GROUP BY 1, 2`,
  );
  const days = db.prepare<[], DayCount>(
    `SELECT substr(CAST(c.last_retrieved_at AS TEXT), 1, 10) AS day, count(*) AS chunks FROM chunks c
     WHERE c.last_retrieved_at IS NOT NULL AND ${HAS_USUAL_ID} GROUP BY 1 ORDER BY 1`,
  );
  return { groups: groups.all(), lastRetrieved: days.all() };
}

/** A chunk with everything that belongs to it, and its place among all rows. */
interface RecordRow extends ChunkRow {
  readonly place: string;
  readonly retrieval_count: number;
  readonly last_retrieved_at: string | null;
  readonly questions: string | null;
  readonly is_owned: number;
  readonly content_hash: string | null;
}

/** The columns of a {@link RecordRow}, of tables named `c`, `o` and `s`. */
const RECORD_COLUMNS = `CAST(c.rowid AS TEXT) AS place, ${WHOLE_CHUNK_COLUMNS}, ${QUESTIONS} AS questions,
  ${RETRIEVALS} AS retrieval_count,
  iif(octet_length(c.last_retrieved_at) <= ${EMBEDDED_MAX_CHARACTERS},
    CAST(c.last_retrieved_at AS TEXT), NULL) AS last_retrieved_at,
  o.chunk_id IS NOT NULL AS is_owned, CAST(s.content_hash AS TEXT) AS content_hash`;

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
