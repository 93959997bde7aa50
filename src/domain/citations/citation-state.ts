import { findLines, hashOfLines } from './line-hash.js';
import type { LineRange } from './mentions.js';

/** What is kept of a citation from when its chunk was indexed. */
export interface Citation {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly fileHash: string;
  /** Absent where the whole file is cited, or where it did not have the lines. */
  readonly lines?: LineRange;
  readonly linesHash?: string;
}

/** A file as it is now. */
interface PresentFile {
  readonly hash: string;
  readonly text: string;
}

/**
 * What became of a citation. Only `changed` and `gone` make a chunk stale: lines that moved within their file and a file
 * that has another name say the same as before.
 */
export type CitationState =
  | { readonly state: 'current' | 'changed' | 'gone' }
  | { readonly state: 'moved'; readonly movedTo: LineRange }
  | { readonly state: 'renamed'; readonly renamedTo: string };

export function isStale({ state }: { readonly state?: CitationState['state'] }): boolean {
  return state === 'changed' || state === 'gone';
}

/** A citation of a file as it is now, and of its lines if it has them. */
export function citationOf(path: string, file: PresentFile, lines?: LineRange): Citation {
  const linesHash = lines && hashOfLines(file.text, lines);
  const ofLines = lines !== undefined && linesHash !== undefined;
  return { path, fileHash: file.hash, ...(ofLines && { lines, linesHash }) };
}

/** @param file the cited file as it is now; undefined if it does not exist */
export function citationState(citation: Citation, file: PresentFile | undefined): CitationState {
  if (file === undefined) return { state: 'gone' };
  if (file.hash === citation.fileHash) return { state: 'current' };
  const { lines, linesHash } = citation;
  if (lines === undefined || linesHash === undefined) return { state: 'changed' };
  const movedTo = findLines(file.text, linesHash, lines);
  if (movedTo === undefined) return { state: 'changed' };
  return movedTo.from === lines.from ? { state: 'current' } : { state: 'moved', movedTo };
}
