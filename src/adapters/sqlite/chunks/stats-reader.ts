import type { Database } from 'better-sqlite3';
import { SOURCE_TYPES, type SourceType } from '../../../domain/chunks/chunk.js';
import type { ContentStats } from '../../../domain/stats.js';
import { prepared } from '../database/prepared.js';
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

/** One count per type, each a range of an index, takes two thirds of the time of grouping all chunks. */
function breakdown(db: Database): Readonly<Record<SourceType, number>> {
  const count = prepared<[string], number>(
    db,
    'SELECT count(*) FROM chunks WHERE source_type = ?',
  ).pluck();
  const entries = SOURCE_TYPES.map((type) => [type, count.get(type) ?? 0] as const);
  return Object.fromEntries(entries) as Record<SourceType, number>;
}

function scalar<T>(db: Database, sql: string): T {
  return prepared<[], T>(db, sql).pluck().get() as T;
}
