import type { Database } from 'better-sqlite3';
import { SOURCE_TYPES, type SourceType } from '../../../domain/chunks/chunk.js';
import type { ContentStats } from '../../../domain/stats.js';
import { sizeOf } from '../database/store-files.js';
import { toIsoDate } from '../rows/chunk-rows.js';

export function readStats(db: Database, dbPath: string): ContentStats {
  const lastUpdated = scalar<string | null>(db, 'SELECT CAST(max(updated_at) AS TEXT) FROM chunks');
  return {
    totalChunks: scalar<number>(db, 'SELECT count(*) FROM chunks'),
    uniqueSources: scalar<number>(db, 'SELECT count(DISTINCT source_file) FROM chunks'),
    sourceTypeBreakdown: breakdown(db),
    ...(lastUpdated !== null && { lastUpdated: toIsoDate(lastUpdated) }),
    sizeBytes: sizeOf(dbPath),
  };
}

function breakdown(db: Database): Readonly<Record<SourceType, number>> {
  const rows = db
    .prepare<[], readonly [string, number]>(
      'SELECT source_type, count(*) FROM chunks GROUP BY source_type',
    )
    .raw()
    .all() as unknown as readonly (readonly [string, number])[];
  const counts = new Map(rows);
  const entries = SOURCE_TYPES.map((type) => [type, counts.get(type) ?? 0] as const);
  return Object.fromEntries(entries) as Record<SourceType, number>;
}

function scalar<T>(db: Database, sql: string): T {
  return db.prepare<[], T>(sql).pluck().get() as T;
}
