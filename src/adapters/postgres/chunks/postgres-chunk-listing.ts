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
  LAST_STEP,
  TOKENS_PER_STEP,
} from '../../../domain/overview/chunk-survey.js';
import type { ChunkListing, ChunkListQuery } from '../../../ports/chunk-listing.js';
import type { ProjectContext } from '../database/project-context.js';

export class PostgresChunkListing implements ChunkListing {
  readonly #project: ProjectContext;

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  async list({ order, limit, offset, ...filter }: ChunkListQuery): Promise<ChunkList> {
    const { database, schema } = this.#project;
    const { sourceType = null, sourceFile = null } = filter;
    const orderBy = orderSteps(order).map(
      ([field, direction]) => `${ORDER_COLUMNS[field]} ${direction} NULLS ${NULLS[direction]}`,
    );
    const isListed = `($1::text IS NULL OR c.source_type = $1) AND ($2::text IS NULL OR c.source_file = $2)`;
    const rows = await database.rows<EntryRow>(
      `SELECT ${ENTRY_COLUMNS} FROM ${schema}.chunks c
         LEFT JOIN ${schema}.retrievals r ON r.chunk_no = c.no
       WHERE ${isListed} ORDER BY ${orderBy.join(', ')} LIMIT $3 OFFSET $4`,
      [sourceType, sourceFile, limit, offset],
    );
    const [counted] = await database.rows<{ readonly total: number }>(
      `SELECT count(*) AS total FROM ${schema}.chunks c WHERE ${isListed}`,
      [sourceType, sourceFile],
    );
    return { total: counted?.total ?? 0, chunks: rows.map(entryOf) };
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

interface EntryRow {
  readonly id: string;
  readonly source_type: string;
  readonly source_file: string;
  readonly heading: string | null;
  readonly tokens: number;
  readonly importance: number;
  readonly updated_at: Date;
  readonly retrievals: number;
  readonly last_retrieved_at: Date | null;
}

/** The columns of an {@link EntryRow}, of tables named `c` and `r`. */
const ENTRY_COLUMNS = `c.id, c.source_type, c.source_file, c.heading, ${TOKENS} AS tokens, c.importance,
  c.updated_at, ${RETRIEVALS} AS retrievals, r.last_retrieved_at`;

function entryOf(row: EntryRow): ChunkEntry {
  const { id, heading, tokens, importance, retrievals } = row;
  return {
    ...{ id, tokens, importance, retrievals },
    sourceType: row.source_type as SourceType,
    sourceFile: row.source_file,
    ...(heading !== null && { heading }),
    updatedAt: row.updated_at.toISOString(),
    ...(row.last_retrieved_at && { lastRetrievedAt: row.last_retrieved_at.toISOString() }),
  };
}
