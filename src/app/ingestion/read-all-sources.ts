import type { ReplaceOptions } from '../../ports/driven/chunk-repository.js';
import type { IngestionReport } from '../../ports/driving/ingestion-service.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import type { Project } from '../projects/project.js';
import type { Ingestion } from './ingestion.js';

interface Parts {
  readonly ingestion: Ingestion;
  readonly enrichment: Enrichment;
}

/**
 * Reads all sources of a project again, and rebuilds its indexes where they are wrong.
 * @param options whether chunks that an unchanged file has lost to pruning are restored
 */
export async function readAllSources(
  { ingestion, enrichment }: Parts,
  project: Project,
  options?: ReplaceOptions,
): Promise<IngestionReport> {
  await project.store.care.repairIndexes(); // Where an index lacks a row, writes fail.
  const report = await ingestion.ingestAll(project, options);
  await project.store.keywords.rebuild('outdated');
  enrichment.wake(project);
  return report;
}
