import { CITATIONS_PER_CHUNK, CITED_PATH_MAX_CHARACTERS } from '../limits.js';
import { isRecord } from '../records.js';
import type { Citation } from './citation-state.js';
import type { LineRange } from './mentions.js';

/** Reads citations out of a store, which is untrusted: what does not fit is left out. */
export function readCitations(value: unknown): readonly Citation[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, CITATIONS_PER_CHUNK).flatMap((entry) => citationIn(entry) ?? []);
}

function citationIn(value: unknown): Citation | undefined {
  if (!isRecord(value)) return undefined;
  const { path, fileHash, lines, linesHash } = value;
  if (!isPath(path) || typeof fileHash !== 'string') return undefined;
  const ofLines = isRange(lines) && typeof linesHash === 'string';
  return { path, fileHash, ...(ofLines && { lines, linesHash }) };
}

/** Relative to the project, and not out of it. */
function isPath(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > CITED_PATH_MAX_CHARACTERS) {
    return false;
  }
  return !value.includes('\0') && !value.split('/').some((part) => part === '' || part === '..');
}

function isRange(value: unknown): value is LineRange {
  if (!isRecord(value)) return false;
  const { from, to } = value;
  return (
    Number.isSafeInteger(from) && Number.isSafeInteger(to) && isOrdered(Number(from), Number(to))
  );
}

function isOrdered(from: number, to: number): boolean {
  return from >= 1 && to >= from;
}
