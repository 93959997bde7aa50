import type { SourceSummary } from '../../../ports/driven/chunk-repository.js';
import type { Session } from '../connection/session.js';

/** Every source of a chunk, and every source that is indexed without one, by name. */
export async function readSources(
  session: Session,
  schema: string,
): Promise<readonly SourceSummary[]> {
  const rows = await session.query<SourceRow>(
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
