import type { IndexedSource } from '../../ports/driven/chunk-repository.js';

/** What an ingestion did with one source. */
export interface SourceResult {
  readonly sourceFile: string;
  /** `gone` where there is no such file, `twice` where it is a link to one that was read already. */
  readonly state: 'there' | 'gone' | 'twice';
  /** How many chunks of it the index now holds. */
  readonly chunks: number;
  /** The path of the source before, if it was moved. */
  readonly movedFrom?: string | undefined;
  /** Why it was not read. */
  readonly skipped?: string;
}

/** A source that was moved stands for its former path as well, which is no longer indexed. */
export function filesOf({ sourceFile, movedFrom }: SourceResult): readonly string[] {
  return movedFrom === undefined ? [sourceFile] : [sourceFile, movedFrom];
}

export function isThere({ state }: SourceResult): boolean {
  return state === 'there';
}

export function isTwice({ state }: SourceResult): boolean {
  return state === 'twice';
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
