import { headOf } from '../../../domain/chunks/text.js';
import type { ResultBody } from '../bodies.js';
import { citationSentences } from './citations.js';
import { printable, printableLine, type Styles } from './format.js';
import { widthOf, wrapped } from './layout.js';
import { firstMatch, marked } from './matches.js';

export interface ResultsView {
  readonly styles: Styles;
  readonly columns: number;
  /** Show the whole text of each result, not only the lines around the first match. */
  readonly full?: boolean | undefined;
  /** Words that are marked. */
  readonly terms: readonly string[];
  /** Where each result is, as an editor opens it. */
  readonly places: readonly string[];
  /** Of each result, from 0 to 1; undefined where nothing is known of it. */
  readonly relevance?: readonly (number | undefined)[];
}

/** Chunks, one below the other, the best first. */
export function resultsText(results: readonly ResultBody[], view: ResultsView): string {
  return results.map((result, i) => resultText(result, i, view)).join('\n\n');
}

/** The place is never broken into lines, so that a terminal can link it. */
function resultText(result: ResultBody, index: number, view: ResultsView): string {
  const { chunk } = result;
  const { styles, terms, columns } = view;
  const place = view.places[index] ?? printableLine(chunk.sourceFile);
  const heading = headOf(printableLine(headOf(chunk.heading ?? '', HEADING_MAX)), HEADING_MAX);
  const tags = (chunk.tags ?? []).map((tag) => `#${printableLine(tag)}`);
  const ends = [relevanceText(view.relevance?.[index]), ...tags].filter(Boolean).join('  ');
  const start = `${index + 1}. ${place}`;
  const oneLine = heading === '' ? start : `${start} › ${heading}`;
  const fits = widthOf(ends === '' ? oneLine : `${oneLine}  ${ends}`) <= columns;
  const mark = (text: string) => marked(text, terms, styles.match);
  const first = `${styles.dim(`${index + 1}.`)} ${styles.name(place)}`;
  const title = fits
    ? [[heading === '' ? first : `${first} › ${mark(heading)}`, styles.dim(ends)]]
    : [
        [first],
        ...[heading, ends].flatMap((text) => wrapped(text, columns, INDENT)).map((x) => [x]),
      ];
  const lines = title.map((parts) => parts.filter(Boolean).join('  ')).filter(Boolean);
  const cited = citationSentences(result).flatMap((one) => wrapped(one, columns, INDENT));
  return [...lines, ...cited.map(styles.dim), ...contentLines(chunk.content, view)].join('\n');
}

/** `████░ 0.82`. */
function relevanceText(relevance: number | undefined): string {
  if (relevance === undefined) return '';
  const full = Math.round(BAR_WIDTH * relevance);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${relevance.toFixed(2)}`;
}

const BAR_WIDTH = 5;
const INDENT = '   ';
const HEADING_MAX = 200;
/** Five results fit a screen of 24 lines. */
const PREVIEW_LINES = 2;

function contentLines(content: string, view: ResultsView): readonly string[] {
  const { terms, styles, columns } = view;
  const shown = view.full ? printable(content).trim() : aroundMatch(content, view);
  const lines = wrapped(marked(shown, terms, styles.match), columns, INDENT);
  if (view.full || lines.length <= PREVIEW_LINES) return lines.filter((line) => line !== '');
  return [...lines.slice(0, PREVIEW_LINES - 1), `${lines[PREVIEW_LINES - 1]} …`];
}

/** The text from the line of the first match on, without blank lines. No more is looked at than could be shown. */
function aroundMatch(content: string, { terms, columns }: ResultsView): string {
  const text = printable(content).trim();
  const lineStart = text.lastIndexOf('\n', firstMatch(text, terms)) + 1;
  const start = lineStart === 0 ? '' : '… ';
  const shown = headOf(text.slice(lineStart), 2 * PREVIEW_LINES * columns);
  return start + shown.replace(/\n\s*\n/g, '\n');
}
