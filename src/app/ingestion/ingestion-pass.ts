import { type HashedSource, planMoves } from '../../domain/chunks/source-plan.js';
import type { Logger } from '../../ports/logger.js';
import type { IndexedSource } from '../../ports/source-repository.js';
import type { IngestionReport } from '../../schemas/sources.js';
import { eventLoop } from '../../shared/in-batches.js';
import type { Project } from '../project.js';
import type { SourceResult } from './ingest-source.js';
import type { Source } from './source.js';
import { isHidden, type SourceListing } from './source-listing.js';

/**
 * Finds moved sources. A moved source is listed but not indexed, and has the content of a source that is indexed but no
 * longer listed. Reads new sources for this only if an indexed one is gone.
 * @returns the previous path of each, by its current path
 */
export async function findMoves(
  indexed: readonly IndexedSource[],
  listing: SourceListing,
): Promise<ReadonlyMap<string, IndexedSource>> {
  const listed = new Set(sourceNames(listing.sources));
  const gone = indexed.filter(
    (source) => !listed.has(source.sourceFile) && !isHidden(listing, source),
  );
  if (gone.length === 0) return new Map();
  const known = new Set(sourceNames(indexed));
  const arrived: HashedSource[] = [];
  for (const source of listing.sources) {
    await eventLoop();
    const reading = known.has(source.sourceFile) ? undefined : await source.read();
    if (reading === undefined || 'skipped' in reading) continue;
    arrived.push({ sourceFile: source.sourceFile, contentHash: reading.contentHash });
  }
  return planMoves(gone.toSorted(byFile), arrived.toSorted(byFile));
}

function byFile(a: HashedSource, b: HashedSource): number {
  return a.sourceFile < b.sourceFile ? -1 : 1;
}

/** Indexed sources missing from the results. The result of a moved source also covers its previous path. */
export function findMissing(
  results: readonly SourceResult[],
  before: readonly IndexedSource[],
): readonly IndexedSource[] {
  const present = new Set<string | undefined>();
  for (const { sourceFile, movedFrom } of results.filter(isThere)) {
    present.add(sourceFile).add(movedFrom);
  }
  return before.filter(({ sourceFile }) => !present.has(sourceFile));
}

export function isThere({ state }: SourceResult): boolean {
  return state === 'there';
}

export function sourceNames(sources: readonly Pick<Source, 'sourceFile'>[]): readonly string[] {
  return sources.map(({ sourceFile }) => sourceFile);
}

interface Outcome extends Pick<SourceListing, 'unreadable' | 'skipped'> {
  readonly results: readonly SourceResult[];
  /** Sources below an unreadable folder, which keep their chunks. */
  readonly hidden: readonly IndexedSource[];
  readonly removed: number;
}

const LOGGED_SOURCES = 20;

/** Turns the outcome of an ingestion into a report, and logs sources that were left out or could not be read. */
export function toReport(
  { results, hidden, removed, unreadable, skipped: leftOut }: Outcome,
  { path: project }: Project,
  logger: Pick<Logger, 'warn' | 'info'>,
): IngestionReport {
  const refused = results.flatMap(({ sourceFile, skipped: reason }) =>
    reason === undefined ? [] : [{ sourceFile, reason }],
  );
  const inPart = results.flatMap(({ sourceFile, problems = [] }) =>
    problems.map((reason) => ({ sourceFile, reason, isRead: true as const })),
  );
  const skipped = [...leftOut, ...refused, ...inPart];
  if (skipped.length > 0) {
    const level = unreadable.length > 0 ? 'warn' : 'info';
    const first = skipped.slice(0, LOGGED_SOURCES);
    const said = { project, count: skipped.length, skipped: first };
    logger[level]('Some sources were left out or could not be read.', said);
  }
  const indexed =
    results.filter(({ chunks }) => chunks > 0).length +
    hidden.filter(({ chunkCount }) => chunkCount > 0).length;
  return { indexed, skipped, removed };
}
