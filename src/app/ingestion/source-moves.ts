import { type HashedSource, planMoves } from '../../domain/chunks/moved-sources.js';
import type { IndexedSource } from '../../ports/driven/chunk-repository.js';
import { isHidden, type Source, type SourceListing } from './source.js';

/** Where each moved source was indexed before, by its path now. */
type SourceMoves = ReadonlyMap<string, IndexedSource>;

/**
 * Finds the sources that were moved: those that are listed and not indexed, and have the content of one that
 * is indexed and not listed any more. New sources are read for this only if something is gone.
 */
export async function findMoves(
  indexed: readonly IndexedSource[],
  listing: SourceListing,
): Promise<SourceMoves> {
  const listed = new Set(listing.sources.map(({ sourceFile }) => sourceFile));
  const gone = indexed.filter(
    (source) => !listed.has(source.sourceFile) && !isHidden(listing, source),
  );
  if (gone.length === 0) return new Map();
  const known = new Set(indexed.map(({ sourceFile }) => sourceFile));
  const arrived = listing.sources.filter(({ sourceFile }) => !known.has(sourceFile));
  return planMoves(gone.toSorted(byFile), (await hashed(arrived)).toSorted(byFile));
}

async function hashed(sources: readonly Source[]): Promise<readonly HashedSource[]> {
  const found: HashedSource[] = [];
  for (const source of sources) {
    const reading = await source.read();
    if (reading === undefined || 'skipped' in reading) continue;
    found.push({ sourceFile: source.sourceFile, contentHash: reading.contentHash });
  }
  return found;
}

function byFile(a: HashedSource, b: HashedSource): number {
  return a.sourceFile < b.sourceFile ? -1 : 1;
}
