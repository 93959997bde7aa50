import { SOURCE_TYPES, type SourceType } from '../../../domain/chunks/chunk.js';
import type { ContentStats } from '../../../domain/stats.js';
import type { Session } from '../connection/session.js';

export async function readStats(session: Session, schema: string): Promise<ContentStats> {
  const rows = await session.query<TypeCount>(
    `SELECT source_type AS "sourceType", count(*) AS chunks, max(updated_at) AS "lastUpdated"
     FROM ${schema}.chunks GROUP BY source_type`,
  );
  const [whole] = await session.query<Whole>(
    `SELECT (SELECT count(DISTINCT source_file) FROM ${schema}.chunks) AS "uniqueSources",
       (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
        WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r') AS "sizeBytes"`,
  );
  const lastUpdated = Math.max(...rows.map((row) => row.lastUpdated.getTime()));
  return {
    totalChunks: rows.reduce((sum, { chunks }) => sum + chunks, 0),
    uniqueSources: whole?.uniqueSources ?? 0,
    sourceTypeBreakdown: breakdown(rows),
    ...(rows.length > 0 && { lastUpdated: new Date(lastUpdated).toISOString() }),
    sizeBytes: whole?.sizeBytes ?? 0,
  };
}

interface TypeCount {
  readonly sourceType: string;
  readonly chunks: number;
  readonly lastUpdated: Date;
}

interface Whole {
  readonly uniqueSources: number;
  readonly sizeBytes: number;
}

function breakdown(rows: readonly TypeCount[]): Readonly<Record<SourceType, number>> {
  const counts = new Map(rows.map(({ sourceType, chunks }) => [sourceType, chunks]));
  const entries = SOURCE_TYPES.map((type) => [type, counts.get(type) ?? 0] as const);
  return Object.fromEntries(entries) as Record<SourceType, number>;
}
