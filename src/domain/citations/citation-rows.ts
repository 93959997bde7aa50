import type { JudgedCitation } from './citation.js';

/** A citation as a row of a table has it. */
export interface CitationRow extends Pick<JudgedCitation, 'path' | 'fileHash' | 'state'> {
  readonly firstLine: number | null;
  readonly lastLine: number | null;
  readonly linesHash: string | null;
  /** The first of the lines where they are now. */
  readonly movedTo: number | null;
}

export function citationRow({ lines, linesHash, movedTo, ...whole }: JudgedCitation): CitationRow {
  return {
    ...whole,
    firstLine: lines?.from ?? null,
    lastLine: lines?.to ?? null,
    linesHash: linesHash ?? null,
    movedTo: movedTo?.from ?? null,
  };
}

interface OfChunk {
  readonly chunkId: string;
  readonly citedAt: string;
}

/** Chunks in the order of their first rows, with what they cite. */
export function citationsByChunk(rows: readonly (CitationRow & OfChunk)[]) {
  const chunks = new Map<string, OfChunk & { readonly citations: JudgedCitation[] }>();
  for (const { chunkId, citedAt, ...row } of rows) {
    const chunk = chunks.get(chunkId) ?? { chunkId, citedAt, citations: [] };
    chunk.citations.push(citationOf(row));
    chunks.set(chunkId, chunk);
  }
  return [...chunks.values()];
}

function citationOf({ firstLine: from, lastLine: to, ...row }: CitationRow): JudgedCitation {
  const { path, fileHash, state, linesHash, movedTo } = row;
  if (from === null || to === null || linesHash === null) return { path, fileHash, state };
  const cited = { path, fileHash, lines: { from, to }, linesHash, state };
  return movedTo === null
    ? cited
    : { ...cited, movedTo: { from: movedTo, to: movedTo + to - from } };
}
