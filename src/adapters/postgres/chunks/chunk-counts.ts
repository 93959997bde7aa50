import type { SourceType } from '../../../domain/chunks/chunk.js';
import { CHARACTERS_PER_BUDGET_TOKEN } from '../../../domain/limits.js';
import type { ChunkEntry } from '../../../domain/overview/chunk-list.js';
import { type ContentStats, NO_CONTENT } from '../../../domain/overview/stats.js';
import type { ProjectContext } from '../database/postgres-database.js';

/** Reads all chunks without their texts. */
export async function readEntries({
  database,
  schema,
}: ProjectContext): Promise<readonly ChunkEntry[]> {
  return (await database.rows<EntryRow>(entriesSql(schema))).map(toEntry);
}

function entriesSql(schema: string): string {
  return `SELECT c.id, c.source_type AS "sourceType", c.source_file AS "sourceFile",
      c.chunk_index AS "chunkIndex", c.heading, c.importance, c.created_at AS "createdAt", c.updated_at AS "updatedAt",
      (length(c.content) + ${CHARACTERS_PER_BUDGET_TOKEN - 1}) / ${CHARACTERS_PER_BUDGET_TOKEN} AS tokens,
      coalesce(r.retrieval_count, 0) AS retrievals, r.last_retrieved_at AS "lastRetrievedAt"
    FROM ${schema}.chunks c LEFT JOIN ${schema}.retrievals r ON r.chunk_no = c.no`;
}

interface EntryRow
  extends Omit<ChunkEntry, 'heading' | 'createdAt' | 'updatedAt' | 'lastRetrievedAt'> {
  readonly heading: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastRetrievedAt: Date | null;
}

function toEntry({
  heading,
  createdAt,
  updatedAt,
  lastRetrievedAt,
  ...entry
}: EntryRow): ChunkEntry {
  return {
    ...entry,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(heading !== null && { heading }),
    ...(lastRetrievedAt !== null && { lastRetrievedAt: lastRetrievedAt.toISOString() }),
  };
}

/** Counts over all chunks. */
export async function readStats({ database, schema }: ProjectContext): Promise<ContentStats> {
  const rows = await database.rows<TypeCount>(
    `SELECT source_type AS "sourceType", count(*) AS chunks, max(updated_at) AS "lastUpdated"
     FROM ${schema}.chunks GROUP BY source_type`,
  );
  const [whole] = await database.rows<Pick<ContentStats, 'uniqueSources' | 'sizeBytes'>>(
    `SELECT (SELECT count(DISTINCT source_file) FROM ${schema}.chunks) AS "uniqueSources",
       (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
        WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r') AS "sizeBytes"`,
  );
  const counts = { ...NO_CONTENT.sourceTypeBreakdown };
  for (const { sourceType, chunks } of rows) if (sourceType in counts) counts[sourceType] = chunks;
  const lastUpdated = Math.max(...rows.map((row) => row.lastUpdated.getTime()));
  return {
    ...NO_CONTENT,
    ...whole,
    totalChunks: rows.reduce((sum, { chunks }) => sum + chunks, 0),
    sourceTypeBreakdown: counts,
    ...(rows.length > 0 && { lastUpdated: new Date(lastUpdated).toISOString() }),
  };
}

interface TypeCount {
  readonly sourceType: SourceType;
  readonly chunks: number;
  readonly lastUpdated: Date;
}
