import type { Logger } from '../../ports/driven/logger.js';
import type { IngestionReport } from '../../ports/driving/ingestion-service.js';
import type { Project } from '../projects/project.js';
import type { SourceListing, SourceResult } from './source.js';

/** What is known of an ingestion besides the results of its files. */
interface Pass extends Pick<SourceListing, 'unreadable' | 'skipped'> {
  readonly removed: number;
  readonly project: Project;
  readonly logger: Logger;
}

/** Reports what an ingestion did, and logs what it could not read. */
export function reportOf(
  results: readonly SourceResult[],
  { unreadable, skipped: patterns, removed, project, logger }: Pass,
): IngestionReport {
  const files = results.flatMap(({ sourceFile, skipped: reason }) =>
    reason === undefined ? [] : [{ sourceFile, reason }],
  );
  const log = (
    level: 'warn' | 'info',
    sentence: string,
    found: Readonly<Record<string, readonly unknown[]>>,
  ) => {
    const isFound = Object.values(found).some((list) => list.length > 0);
    if (isFound) logger[level](sentence, { project: project.path, ...found });
  };
  log('warn', 'Some folders could not be read.', { unreadable });
  // The report has these.
  log('info', 'Some patterns match nothing.', { patterns });
  log('info', 'Some files were not read.', { skipped: files });
  return {
    indexed: results.filter(({ chunks }) => chunks > 0).length,
    skipped: [...patterns, ...files],
    removed,
  };
}
