import { findLines, hashOfLines } from './line-hash.js';
import type { LineRange } from './mentions.js';

/** A file that a chunk cites, as it was when the chunk was indexed. */
export interface Citation {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly fileHash: string;
  /** Absent where the whole file is cited, or where it did not have the lines. */
  readonly lines?: LineRange;
  readonly linesHash?: string;
}

/** What has become of a citation; `changed` and `gone` make its chunk stale. */
export interface Verdict {
  readonly state: 'current' | 'changed' | 'gone';
  /** Where the cited lines are now, if they have moved within their file. */
  readonly movedTo?: LineRange;
}

export interface JudgedCitation extends Citation, Verdict {}

interface PresentFile {
  readonly hash: string;
  readonly text: string;
}

/** A citation of a file as it is now, and of its lines if it has them. */
export function citationOf(path: string, file: PresentFile, lines?: LineRange): Citation {
  const linesHash = lines && hashOfLines(file.text, lines);
  const ofLines = lines !== undefined && linesHash !== undefined;
  return { path, fileHash: file.hash, ...(ofLines && { lines, linesHash }) };
}

/** @param file the cited file as it is now; undefined if there is no such file */
export function verdictOn(citation: Citation, file: PresentFile | undefined): Verdict {
  if (file === undefined) return { state: 'gone' };
  if (file.hash === citation.fileHash) return { state: 'current' };
  const { lines, linesHash } = citation;
  if (lines === undefined || linesHash === undefined) return { state: 'changed' };
  const movedTo = findLines(file.text, linesHash, lines);
  if (movedTo === undefined) return { state: 'changed' };
  return movedTo.from === lines.from ? { state: 'current' } : { state: 'current', movedTo };
}
