import type { Database } from 'better-sqlite3';
import type { SourceSummary } from '../../../ports/driven/chunk-repository.js';
import { toIsoDate } from '../rows/chunk-rows.js';

/** Every source of a chunk, and every source that is indexed without one, by name. */
export function readSources(db: Database): readonly SourceSummary[] {
  return db
    .prepare<[], SourceRow>(
      `SELECT coalesce(CAST(c.source_file AS TEXT), '') AS sourceFile,
         coalesce(s.source_type, min(CAST(c.source_type AS TEXT)), '') AS sourceType,
         count(*) AS chunks,
         sum(iif(typeof(c.retrieval_count) = 'integer', c.retrieval_count, 0)) AS retrievals,
         max(CAST(c.updated_at AS TEXT)) AS lastUpdated
       FROM chunks c LEFT JOIN store_sources s ON s.source_file = c.source_file
       GROUP BY c.source_file
       UNION ALL
       SELECT s.source_file, s.source_type, 0, 0, NULL FROM store_sources s
       WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.source_file = s.source_file)
       ORDER BY sourceFile`,
    )
    .all()
    .map(({ lastUpdated, ...source }) => ({
      ...source,
      ...(lastUpdated !== null && { lastUpdated: toIsoDate(lastUpdated) }),
    }));
}

interface SourceRow extends Omit<SourceSummary, 'lastUpdated'> {
  readonly lastUpdated: string | null;
}
