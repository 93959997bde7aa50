import { SOURCE_TYPES, type SourceType } from '../../../domain/chunks/chunk.js';
import type { ContentStats } from '../../../domain/stats.js';
import type { SourceSummary } from '../../../ports/driven/chunk-repository.js';
import type { ProjectContext } from '../database/project-database.js';

/** Every source of a chunk, and every source that is indexed without one, by name. */
export async function readSources({
  database,
  schema,
}: ProjectContext): Promise<readonly SourceSummary[]> {
  const rows = await database.rows<SourceRow>(
    `SELECT coalesce(s.source_file, c.source_file) AS "sourceFile",
       coalesce(s.source_type, min(c.source_type)) AS "sourceType",
       count(c.no) AS chunks, coalesce(sum(r.retrieval_count), 0)::bigint AS retrievals,
       max(c.updated_at) AS "lastUpdated"
     FROM ${schema}.sources s FULL JOIN ${schema}.chunks c ON c.source_file = s.source_file
     LEFT JOIN ${schema}.retrievals r ON r.chunk_no = c.no
     GROUP BY s.source_file, c.source_file`,
  );
  return rows
    .map(({ lastUpdated, ...source }) => ({
      ...source,
      ...(lastUpdated !== null && { lastUpdated: lastUpdated.toISOString() }),
    }))
    .toSorted((a, b) => (a.sourceFile < b.sourceFile ? -1 : 1));
}

interface SourceRow extends Omit<SourceSummary, 'lastUpdated'> {
  readonly lastUpdated: Date | null;
}

export async function readStats({ database, schema }: ProjectContext): Promise<ContentStats> {
  const rows = await database.rows<TypeCount>(
    `SELECT source_type AS "sourceType", count(*) AS chunks, max(updated_at) AS "lastUpdated"
     FROM ${schema}.chunks GROUP BY source_type`,
  );
  const [whole] = await database.rows<Whole>(
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
