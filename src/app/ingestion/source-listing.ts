import { SOURCE_FOLDERS_MAX } from '../../domain/limits.js';
import type { FileListing, LeftOut } from '../../ports/project-files.js';
import type { IndexedSource } from '../../ports/source-repository.js';
import type { SkippedSource } from '../../schemas/sources.js';
import type { Source } from './source.js';

/** Sources that were found, and the folders that could not be read. */
export interface SourceListing {
  readonly sources: readonly Source[];
  /** Existing folders, relative to the project, that could not be read. */
  readonly unreadable: readonly string[];
  /** `sourceFile` may be a pattern that matches nothing, an unreadable folder, or the first of each kind left out. */
  readonly skipped: readonly SkippedSource[];
}

export function toListing(
  { paths, unreadable, leftOut }: FileListing,
  toSource: (path: string) => Source,
): SourceListing {
  const notReadable = unreadable.map((folder) => {
    const isTooDeep = folder.split('/').length > SOURCE_FOLDERS_MAX;
    return { sourceFile: `${folder || '.'}/`, reason: isTooDeep ? TOO_DEEP : NOT_READABLE };
  });
  const skipped = [...notReadable, ...leftOutEntries(leftOut)];
  return { sources: paths.map(toSource), unreadable, skipped };
}

const TOO_DEEP = `it lies more than ${SOURCE_FOLDERS_MAX} folders deep`;
const NOT_READABLE = 'this folder and everything below it cannot be read';

/** Returns one entry per reason: the first path, the number of others, and how to include them. */
function leftOutEntries(leftOut: readonly LeftOut[] = []): readonly SkippedSource[] {
  const reasons = [...new Set(leftOut.map(({ why }) => why))].sort();
  return reasons.flatMap((reason) => leftOutEntry(leftOut.filter(({ why }) => why === reason)));
}

function leftOutEntry(group: readonly LeftOut[]): readonly SkippedSource[] {
  const [first, ...others] = group.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  if (first === undefined) return [];
  const { path: sourceFile, why, remedy = ignoreRemedy(sourceFile) } = first;
  const named = others.slice(0, 3).map(({ path }) => path);
  const more = others.length === 0 ? '' : `, like ${others.length} more (${named.join(', ')})`;
  return [{ sourceFile, reason: `${why}${more}${remedy === '' ? '' : `; ${remedy}`}` }];
}

function ignoreRemedy(path: string): string {
  const pattern = path.endsWith('/') ? `"${path}" in includePatterns or ` : '';
  return `${pattern}"ignore": false includes it`;
}

/** Joins several listings into one. Each path is reported once. */
export function joinListings(listings: readonly SourceListing[]): SourceListing {
  const skipped = listings.flatMap((listing) => listing.skipped);
  return {
    sources: listings.flatMap(({ sources }) => sources),
    unreadable: [...new Set(listings.flatMap(({ unreadable }) => unreadable))],
    skipped: [...new Map(skipped.map((one) => [one.sourceFile, one])).values()],
  };
}

/** Whether a source is below a folder that could not be read. */
export function isHidden(
  { unreadable }: Pick<SourceListing, 'unreadable'>,
  { sourceFile }: Pick<IndexedSource, 'sourceFile'>,
): boolean {
  return unreadable.some((folder) => folder === '' || sourceFile.startsWith(`${folder}/`));
}
