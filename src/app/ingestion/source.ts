import type { SourceDocument, SourceType } from '../../domain/chunks/chunk.js';
import type { IndexedSource } from '../../ports/driven/chunk-repository.js';
import type { FileListing, SkippedFile } from '../../ports/driven/project-files.js';
import type { SkippedSource } from '../../ports/driving/ingestion-service.js';

/** A file of a project that can be indexed. */
export interface Source {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  /** Reads the file as it is now; undefined where it does not exist. */
  read(): Promise<SourceReading>;
  /**
   * Why the file as it is now is not read; undefined if it is. Reads it only if it has changed since it was
   * last read.
   */
  whySkipped(): Promise<string | undefined>;
  /**
   * What `read` would return of the file as it is now; undefined unless it was read before, and is unchanged.
   * Cheap.
   */
  known(): Promise<KnownReading | undefined>;
  /** Whether the file is still the one that was read, with this version; not opened, so cheap. */
  isStill(version: string): Promise<boolean>;
  /** Whether there is a file that may be read, as far as that shows without opening it. */
  isReadable(): Promise<boolean>;
}

/** Whether the text is the same, although it may be cut in another way. */
export function hasSameText(
  a: Pick<ReadSource, 'contentHash'>,
  b: Pick<ReadSource, 'contentHash'>,
): boolean {
  const [one, other] = [a, b].map(({ contentHash }) => contentHash.split(':').at(-1));
  return one === other;
}

/** What is known of a source that is not read again. */
export type KnownReading = Pick<ReadSource, 'contentHash' | 'file'>;

export type SourceReading = ReadSource | SkippedFile | undefined;

/** A source as it was read, not parsed yet. */
export interface ReadSource {
  /** Equal hashes mean equal chunks. */
  readonly contentHash: string;
  /** The version of the file that was read. */
  readonly version: string;
  /** Identifies the file: the same for each of its links. */
  readonly file: string;
  /** Parses and chunks what was read. */
  toDocument(): SourceDocument;
}

/** Sources that were found, and the folders of which nothing is known. */
export interface SourceListing {
  readonly sources: readonly Source[];
  /** Folders, relative to the project, that are there but could not be read. */
  readonly unreadable: readonly string[];
  /** Include patterns that can match nothing, each as a `sourceFile` with the reason. */
  readonly skipped: readonly SkippedSource[];
}

/** What was found in a folder as sources. */
export function listingOf(
  { paths, unreadable }: FileListing,
  toSource: (path: string) => Source,
): SourceListing {
  return { sources: paths.map(toSource), unreadable, skipped: [] };
}

/** Several listings as one. */
export function joined(listings: readonly SourceListing[]): SourceListing {
  return {
    sources: listings.flatMap(({ sources }) => sources),
    unreadable: [...new Set(listings.flatMap(({ unreadable }) => unreadable))],
    skipped: listings.flatMap(({ skipped }) => skipped),
  };
}

/** Whether nothing is known of a source, because a folder above it cannot be read. */
export function isHidden(
  { unreadable }: Pick<SourceListing, 'unreadable'>,
  { sourceFile }: Pick<Source, 'sourceFile'>,
): boolean {
  return unreadable.some((folder) => folder === '' || sourceFile.startsWith(`${folder}/`));
}

/** What an ingestion did with one source. */
export interface SourceResult {
  readonly sourceFile: string;
  /** `gone` where there is no such file, `duplicate link` where it is a link to one that was read already. */
  readonly state: 'there' | 'gone' | 'duplicate link';
  /** How many chunks of it the index now holds. */
  readonly chunks: number;
  /** The path of the source before, if it was moved. */
  readonly movedFrom?: string | undefined;
  /** Why it was not read. */
  readonly skipped?: string;
}

export function isThere({ state }: SourceResult): boolean {
  return state === 'there';
}

export function isDuplicateLink({ state }: SourceResult): boolean {
  return state === 'duplicate link';
}

/** A source of which nothing is known keeps its chunks. */
export function hiddenResult({ sourceFile, chunkCount }: IndexedSource): SourceResult {
  const skipped = 'a folder above it cannot be read';
  return { sourceFile, state: 'there', chunks: chunkCount, skipped };
}

/** Indexed sources of which the results say nothing. */
export function missingIn(
  results: readonly SourceResult[],
  before: readonly IndexedSource[],
): readonly IndexedSource[] {
  const present = new Set<string>();
  for (const result of results.filter(isThere)) {
    for (const file of filesOf(result)) present.add(file);
  }
  return before.filter(({ sourceFile }) => !present.has(sourceFile));
}

/** A source that was moved stands for its former path as well, which is no longer indexed. */
function filesOf({ sourceFile, movedFrom }: SourceResult): readonly string[] {
  return movedFrom === undefined ? [sourceFile] : [sourceFile, movedFrom];
}
