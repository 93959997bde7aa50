import type { LineHashes } from './line-hashes.js';
import type { LineRange } from './mentions.js';

/** A file that a chunk cites, as it was when the chunk was indexed. */
export type Citation = FileVersion & (CitedLines | WholeFile);

interface FileVersion {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly fileHash: string;
}

interface CitedLines {
  readonly lines: LineRange;
  readonly linesHash: string;
}

/** No lines are cited, or the file did not have them. */
type WholeFile = { readonly [K in keyof CitedLines]?: never };

/** The state of a citation; `changed` and `gone` make its chunk stale. */
export interface Verdict {
  readonly state: 'current' | 'changed' | 'gone';
  /** Where the cited lines are now, if they have moved within their file. */
  readonly movedTo?: LineRange;
}

export type JudgedCitation = Citation & Verdict;

interface PresentFile {
  readonly hash: string;
  readonly lines: LineHashes;
}

/** A citation of a file as it is now, and of its lines if it has them. */
export function toCitation(path: string, file: PresentFile, lines?: LineRange): Citation {
  const whole = { path, fileHash: file.hash };
  if (lines === undefined) return whole;
  const linesHash = file.lines.of(lines);
  return linesHash === undefined ? whole : { ...whole, lines, linesHash };
}

/** @param file the cited file as it is now; undefined if there is no such file */
export function verdictOn(citation: Citation, file: PresentFile | undefined): Verdict {
  if (file === undefined) return { state: 'gone' };
  if (file.hash === citation.fileHash) return { state: 'current' };
  const { lines, linesHash } = citation;
  if (lines === undefined) return { state: 'changed' };
  const movedTo = file.lines.find(linesHash, lines);
  if (movedTo === undefined) return { state: 'changed' };
  return movedTo.from === lines.from ? { state: 'current' } : { state: 'current', movedTo };
}

/** A citation as callers see it. */
export interface ReportedCitation {
  readonly path: string;
  /** `from-to`; absent if the whole file is cited. */
  readonly lines?: string;
  readonly state: Verdict['state'];
  /** ISO 8601: changes since then count. */
  readonly since: string;
  /** `from-to`: where the lines are now, if they have moved within their file. */
  readonly movedTo?: string;
}

/** The citations of a chunk as callers see them; absent if there are none. */
export interface CitationReport {
  readonly citations?: readonly ReportedCitation[];
  readonly stale?: true;
}

/** One citation that no longer holds makes a chunk stale. */
export function citationReport(
  citations: readonly JudgedCitation[],
  since: string,
): CitationReport {
  if (citations.length === 0) return {};
  const isStale = citations.some(({ state }) => state !== 'current');
  const reported = citations.map(({ path, lines, state, movedTo }) => ({
    path,
    ...(lines && { lines: shownLines(lines) }),
    state,
    since,
    ...(movedTo && { movedTo: shownLines(movedTo) }),
  }));
  return { citations: reported, ...(isStale && { stale: true }) };
}

/** The state of the cited file in words; undefined if it is unchanged. */
export function citationSentence(citation: ReportedCitation): string | undefined {
  const { path, lines, state, since, movedTo } = citation;
  const place = `\`${lines === undefined ? path : `${path}:${shortened(lines)}`}\``;
  if (state === 'changed') return `${place} has changed since ${since.slice(0, 10)}`;
  if (state === 'gone') return `\`${path}\` is gone`;
  return movedTo === undefined ? undefined : `${place} has moved to ${shortened(movedTo)}`;
}

/** Which cited files have changed or are gone, in words; undefined if all are as they were. */
export function staleText({ citations = [] }: CitationReport): string | undefined {
  const stale = citations.filter(({ state }) => state !== 'current');
  const sentences = stale.flatMap((citation) => citationSentence(citation) ?? []);
  return sentences.length === 0 ? undefined : sentences.join('; ');
}

function shownLines({ from, to }: LineRange): string {
  return `${from}-${to}`;
}

/** A single line without its repetition. */
function shortened(lines: string): string {
  const [from, to] = lines.split('-');
  return from === to ? `${from}` : lines;
}

/** A citation as a row of a table has it. */
export type CitationRow = FileVersion &
  (CitedLinesRow | { readonly [K in keyof CitedLinesRow]: null }) & {
    readonly state: Verdict['state'];
    /** The first of the lines where they are now. */
    readonly movedTo: number | null;
  };

interface CitedLinesRow {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly linesHash: string;
}

export function citationRow({ lines, linesHash, movedTo, ...whole }: JudgedCitation): CitationRow {
  const row = { ...whole, movedTo: movedTo?.from ?? null };
  return lines === undefined
    ? { ...row, firstLine: null, lastLine: null, linesHash: null }
    : { ...row, firstLine: lines.from, lastLine: lines.to, linesHash };
}

interface OfChunk {
  readonly chunkId: string;
  readonly citedAt: string;
}

/** Chunks with their citations, in the order of their first rows. */
export function citationsByChunk(rows: readonly (CitationRow & OfChunk)[]) {
  const chunks = new Map<string, OfChunk & { readonly citations: JudgedCitation[] }>();
  for (const { chunkId, citedAt, ...row } of rows) {
    const chunk = chunks.get(chunkId) ?? { chunkId, citedAt, citations: [] };
    chunk.citations.push(fromRow(row));
    chunks.set(chunkId, chunk);
  }
  return [...chunks.values()];
}

function fromRow({
  firstLine: from,
  lastLine: to,
  linesHash,
  ...row
}: CitationRow): JudgedCitation {
  const { path, fileHash, state, movedTo } = row;
  if (from === null) return { path, fileHash, state };
  const cited = { path, fileHash, lines: { from, to }, linesHash, state };
  return movedTo === null
    ? cited
    : { ...cited, movedTo: { from: movedTo, to: movedTo + to - from } };
}
