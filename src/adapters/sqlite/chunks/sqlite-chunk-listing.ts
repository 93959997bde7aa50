import type { Database } from 'better-sqlite3';
import type { SourceType } from '../../../domain/chunks/chunk.js';
import { CHARACTERS_PER_BUDGET_TOKEN } from '../../../domain/limits.js';
import {
  type ChunkEntry,
  type ChunkList,
  type OrderField,
  orderSteps,
} from '../../../domain/overview/chunk-list.js';
import {
  type ChunkCounts,
  type ChunkGroup,
  type DayCount,
  LAST_STEP,
  TOKENS_PER_STEP,
} from '../../../domain/overview/chunk-survey.js';
import type { ChunkListing, ChunkListQuery } from '../../../ports/chunk-listing.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { toIsoDate } from './chunk-rows.js';

export class SqliteChunkListing implements ChunkListing {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  list(query: ChunkListQuery): Promise<ChunkList> {
    return this.#database.read((db) => listChunks(db, query));
  }

  counts(): Promise<ChunkCounts> {
    return this.#database.read(countChunks);
  }
}

/** Only the rows of the page are read whole. */
function listChunks(db: Database, query: ChunkListQuery): ChunkList {
  const { order, sourceType = null, sourceFile = null, limit, offset } = query;
  const filter = { sourceType, sourceFile };
  const orderBy = orderSteps(order)
    .map(([field, direction]) => `${ORDER_COLUMNS[field]} ${direction}`)
    .join(', ');
  const total = db
    .prepare<[typeof filter], number>(`SELECT count(*) FROM chunks c WHERE ${IS_LISTED}`)
    .pluck();
  const rows = db.prepare<[typeof filter & Pick<ChunkListQuery, 'limit' | 'offset'>], EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM chunks c WHERE c.rowid IN (
       SELECT c.rowid FROM chunks c WHERE ${IS_LISTED} ORDER BY ${orderBy} LIMIT @limit OFFSET @offset)
     ORDER BY ${orderBy}`,
  );
  return {
    total: total.get(filter) ?? 0,
    chunks: rows.all({ ...filter, limit, offset }).map(entryOf),
  };
}

/** A condition on a table named `c`, with the fields of a query. */
const IS_LISTED = `(@sourceType IS NULL OR c.source_type = @sourceType)
  AND (@sourceFile IS NULL OR c.source_file = @sourceFile)`;

const TOKENS = `(length(c.content) + ${CHARACTERS_PER_BUDGET_TOKEN - 1}) / ${CHARACTERS_PER_BUDGET_TOKEN}`;

const ORDER_COLUMNS: Readonly<Record<OrderField, string>> = {
  sourceFile: 'c.source_file',
  chunkIndex: 'c.chunk_index',
  id: 'c.id',
  tokens: TOKENS,
  updatedAt: 'c.updated_at',
  retrievals: 'c.retrieval_count',
  lastRetrievedAt: 'c.last_retrieved_at',
};

interface EntryRow {
  readonly id: string;
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly heading: string | null;
  readonly tokens: number;
  readonly importance: number;
  readonly updatedAt: string;
  readonly retrievals: number;
  readonly lastRetrievedAt: string | null;
}

/** The columns of an {@link EntryRow}, of a table named `c`. */
const ENTRY_COLUMNS = `c.id, c.source_type AS sourceType, c.source_file AS sourceFile, c.heading,
  ${TOKENS} AS tokens, c.importance, c.updated_at AS updatedAt, c.retrieval_count AS retrievals,
  c.last_retrieved_at AS lastRetrievedAt`;

function entryOf({ heading, lastRetrievedAt, updatedAt, ...entry }: EntryRow): ChunkEntry {
  return {
    ...entry,
    updatedAt: toIsoDate(updatedAt),
    ...(heading !== null && { heading }),
    ...(lastRetrievedAt !== null && { lastRetrievedAt: toIsoDate(lastRetrievedAt) }),
  };
}

/** Keeps SQLite from putting the expressions of a subquery into each place that uses them: length() reads a whole text. */
const EACH_ONCE = 'LIMIT -1';

function countChunks(db: Database): ChunkCounts {
  const groups = db.prepare<[], ChunkGroup>(
    `SELECT sourceType, min(${LAST_STEP}, max(0, tokens - 1) / ${TOKENS_PER_STEP}) AS sizeStep,
       count(*) AS chunks, sum(tokens) AS tokens, sum(retrievals) AS retrievals,
       sum(retrievals = 0) AS neverRetrieved
     FROM (SELECT c.source_type AS sourceType, ${TOKENS} AS tokens,
         c.retrieval_count AS retrievals
       FROM chunks c ${EACH_ONCE})
     GROUP BY 1, 2`,
  );
  const days = db.prepare<[], DayCount>(
    `SELECT substr(c.last_retrieved_at, 1, 10) AS day, count(*) AS chunks FROM chunks c
     WHERE c.last_retrieved_at IS NOT NULL GROUP BY 1 ORDER BY 1`,
  );
  return { groups: groups.all(), lastRetrieved: days.all() };
}
