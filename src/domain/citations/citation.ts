import type { LineRange } from './cited-place.js';
import type { LineHashes } from './line-hashes.js';

/** A file that a chunk cites, as it was when the citation was stored. */
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

/** No lines are cited, or the file lacks them. */
type WholeFile = { readonly [K in keyof CitedLines]?: never };

/** The state of a citation; `changed` and `gone` make its chunk stale. */
export interface Verdict {
  readonly state: 'current' | 'changed' | 'gone';
  /** Where the cited lines are now, if they moved within their file. */
  readonly movedTo?: LineRange;
}

export type JudgedCitation = Citation & Verdict;

interface PresentFile {
  readonly hash: string;
  readonly lines: LineHashes;
}

/** A citation of the current file, and of its lines if it has them. */
export function toCitation(path: string, file: PresentFile, lines?: LineRange): Citation {
  const whole = { path, fileHash: file.hash };
  if (lines === undefined) return whole;
  const linesHash = file.lines.of(lines);
  return linesHash === undefined ? whole : { ...whole, lines, linesHash };
}

/** @param file the cited file as it is now; undefined if it does not exist */
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
  /** The cited lines, as `from-to`; absent if the whole file is cited. */
  readonly lines?: string;
  readonly state: Verdict['state'];
  /** ISO 8601 time since which changes count. */
  readonly since: string;
  /** Where the lines are now, as `from-to`, if they moved within their file. */
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

/** The state of the cited file, as a phrase; undefined if it is unchanged. */
export function citationSentence(citation: ReportedCitation): string | undefined {
  const { path, lines, state, since, movedTo } = citation;
  const place = `\`${lines === undefined ? path : `${path}:${shortenLines(lines)}`}\``;
  if (state === 'changed') return `${place} has changed since ${since.slice(0, 10)}`;
  if (state === 'gone') return `\`${path}\` is gone`;
  return movedTo === undefined ? undefined : `${place} has moved to ${shortenLines(movedTo)}`;
}

/** Which cited files have changed or are gone, as a phrase; undefined if none. */
export function staleText({ citations = [] }: CitationReport): string | undefined {
  const stale = citations.filter(({ state }) => state !== 'current');
  return stale.length === 0 ? undefined : stale.map(citationSentence).join('; ');
}

function shownLines({ from, to }: LineRange): string {
  return `${from}-${to}`;
}

/** Shortens `12-12` to `12`. */
function shortenLines(lines: string): string {
  const [from, to] = lines.split('-');
  return from === to ? `${from}` : lines;
}

/** A citation as stored in a table row. */
export type CitationRow = FileVersion &
  (CitedLinesRow | { readonly [K in keyof CitedLinesRow]: null }) & {
    readonly state: Verdict['state'];
    /** The first line of the new place. */
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

/** Groups citations by chunk, in the order of each chunk's first row. */
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
