import type { IngestionReport } from '../../ports/driving/ingestion-service.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import type { Project } from '../projects/project.js';
import type { Ingestion } from './ingestion.js';
import type { IngestionOptions } from './ingestion-steps.js';

interface Parts {
  readonly ingestion: Ingestion;
  readonly enrichment: Enrichment;
}

/** Reads all sources of a project again, and rebuilds its indexes where they are wrong. */
export async function readAllSources(
  { ingestion, enrichment }: Parts,
  project: Project,
  options?: IngestionOptions,
): Promise<IngestionReport> {
  await project.store.care.repairIndexes(); // Where an index lacks a row, writes fail.
  const report = await ingestion.ingestAll(project, options);
  await project.store.keywords.rebuild('outdated');
  enrichment.wake(project);
  return report;
}
