import { type Citation, type CitationState, isStale } from './citation-state.js';
import type { LineRange } from './mentions.js';

/** What a caller is told of a citation. */
export interface ToldCitation {
  readonly path: string;
  /** `from-to`; absent where the whole file is cited. */
  readonly lines?: string;
  /** Absent if it was not looked at in time. */
  readonly state?: CitationState['state'];
  /** ISO 8601: from when on it is judged. */
  readonly since: string;
  /** `from-to`: where the lines are now. */
  readonly movedTo?: string;
  /** Where the file is now. */
  readonly renamedTo?: string;
}

/** What is told of the citations of a chunk: nothing where it has none. */
export interface CitationReport {
  readonly citations?: readonly ToldCitation[];
  readonly stale?: true;
}

export function toldCitation(
  { path, lines }: Citation,
  since: string,
  judged: CitationState | undefined,
): ToldCitation {
  return {
    path,
    ...(lines && { lines: shownLines(lines) }),
    ...(judged && { state: judged.state }),
    since,
    ...(judged?.state === 'moved' && { movedTo: shownLines(judged.movedTo) }),
    ...(judged?.state === 'renamed' && { renamedTo: judged.renamedTo }),
  };
}

/** One citation that no longer holds makes a chunk stale. */
export function citationReport(citations: readonly ToldCitation[]): CitationReport {
  if (citations.length === 0) return {};
  return { citations, ...(citations.some(isStale) && { stale: true }) };
}

/** What has become of the cited file, for people; undefined where there is nothing to tell. */
export function citationSentence(citation: ToldCitation): string | undefined {
  const { path, lines, state, since, movedTo, renamedTo } = citation;
  const place = `\`${lines === undefined ? path : `${path}:${shortened(lines)}`}\``;
  if (state === 'changed') return `${place} has changed since ${since.slice(0, 10)}`;
  if (state === 'gone') return `\`${path}\` is gone`;
  if (movedTo !== undefined) return `${place} has moved to ${shortened(movedTo)}`;
  return renamedTo === undefined ? undefined : `\`${path}\` is now \`${renamedTo}\``;
}

function shownLines({ from, to }: LineRange): string {
  return `${from}-${to}`;
}

/** A single line without its repetition. */
function shortened(lines: string): string {
  const [from, to] = lines.split('-');
  return from === to ? `${from}` : lines;
}
