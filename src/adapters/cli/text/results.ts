import {
  type AnsweringLines,
  answeringLines,
  titleAt,
} from '../../../domain/chunks/answering-lines.js';
import { displayTitle } from '../../../domain/chunks/display-title.js';
import { type CitationReport, citationSentence } from '../../../domain/citations/citation.js';
import { findPassage, shownWords, wordPattern } from '../../../domain/query/passages.js';
import { ageText } from '../../../domain/saved/note-dates.js';
import { saidText } from '../../../domain/saved/note-record.js';
import { takeHead } from '../../../domain/text.js';
import type { WorktreeText } from '../../../ports/project-directories.js';
import type { ResultBody } from '../bodies.js';
import { printable, printableLine, type Styles } from './format.js';
import { cut, displayWidth, wrapText } from './layout.js';
import { bar } from './progress.js';

export interface ResultsView {
  readonly styles: Styles;
  readonly columns: number;
  /** Whether to show the whole text of each result, not only the lines around the first match. */
  readonly full?: boolean | undefined;
  /** The query, whose words are marked. */
  readonly query: string;
  /** Location of each result, in the form that editors open. */
  readonly places: readonly string[];
  /** Relevance of each result, from 0 to 1; undefined if unknown. */
  readonly relevance?: readonly (number | undefined)[];
  /** One sentence about a source whose file differs in the user's worktree; absent outside a worktree. */
  readonly worktreeText?: WorktreeText;
}

/** Formats results one below the other, best first. */
export function resultsText(results: readonly ResultBody[], view: ResultsView): string {
  return shownResults(results, view)
    .map((shown) => resultText(shown, view))
    .join('\n\n');
}

/** Formats results on one line each, for those that probably do not answer the query. */
export function resultLines(results: readonly ResultBody[], view: ResultsView): string {
  return shownResults(results, view)
    .flatMap((shown) => [
      resultLine(shown, view),
      ...remarkLines([...formatSpeaker(shown.result), ...shown.difference], view),
    ])
    .join('\n');
}

interface ShownResult {
  readonly result: ResultBody;
  /** `1.`, `2.` … */
  readonly number: string;
  readonly place: string;
  readonly heading: string;
  readonly text: string;
  /** Offset of the best passage in `text`. */
  readonly match: number;
  readonly relevance: number | undefined;
  /** One sentence if the file differs in the worktree; otherwise empty. */
  readonly difference: readonly string[];
}

function shownResults(results: readonly ResultBody[], view: ResultsView): readonly ShownResult[] {
  const texts = results.map(({ chunk }) => printable(chunk.content).trim());
  return results.map((result, index) => {
    const { chunk } = result;
    const text = texts[index] ?? '';
    const match = findPassage(text, view.query, texts) ?? 0;
    const called = view.full ? displayTitle(chunk) : titleAt({ ...chunk, content: text }, match);
    return {
      result,
      text,
      match,
      number: `${index + 1}.`,
      relevance: view.relevance?.[index],
      place: view.places[index] ?? printableLine(chunk.sourceFile),
      heading: takeHead(printableLine(takeHead(called ?? '', HEADING_MAX)), HEADING_MAX),
      difference: worktreeDifference(result, view),
    };
  });
}

function remarkLines(sentences: readonly string[], view: ResultsView): readonly string[] {
  const lines = sentences.flatMap((one) => wrapText(one, view.columns, INDENT));
  return lines.map(view.styles.dim);
}

function resultLine({ number, place, heading, text, match }: ShownResult, view: ResultsView) {
  const first = `${number} ${place}`;
  const start = heading === '' ? '' : `${cut(`› ${heading}`, 50)}: `;
  const passage = printableLine(text.slice(answeringLines(text, match).start));
  return `${view.styles.name(first)} ${markWords(start + cut(passage, PASSAGE_COLUMNS), view)}`;
}

/** Long enough to judge a passage; a narrow terminal wraps the line. */
const PASSAGE_COLUMNS = 120;

/** Formats one result. Never wraps its place, so that a terminal can turn it into a link. */
function resultText(shown: ShownResult, view: ResultsView): string {
  const { result, number, place, heading, text, match } = shown;
  const { styles, columns } = view;
  const tags = (result.chunk.tags ?? []).map((tag) => `#${printableLine(tag)}`);
  const ends = [relevanceText(shown.relevance), formatAge(result), ...tags]
    .filter(Boolean)
    .join('  ');
  const plain = [`${number} ${place}`, heading && ` › ${heading}`, ends && `  ${ends}`].join('');
  const first = `${styles.dim(number)} ${styles.name(place)}`;
  const title =
    displayWidth(plain) <= columns
      ? [first + (heading && ` › ${markWords(heading, view)}`) + (ends && `  ${styles.dim(ends)}`)]
      : [first, ...headingLines(heading, view), ...wrapText(ends, columns, INDENT)];
  const remarks = remarkLines([...shown.difference, ...citationSentences(result)], view);
  return [...title, ...remarks, ...contentLines(text, match, view)].join('\n');
}

/**
 * Formats the heading below the place, on one line so that a long one does not push the text off the screen. With
 * `full`, the heading is wrapped instead.
 */
function headingLines(heading: string, view: ResultsView): readonly string[] {
  if (heading === '') return [];
  const line = `› ${heading}`;
  if (view.full) return wrapText(markWords(line, view), view.columns, INDENT);
  return [INDENT + markWords(cut(line, view.columns - INDENT.length), view)];
}

function worktreeDifference({ chunk }: ResultBody, view: ResultsView): readonly string[] {
  const sentence = view.worktreeText?.(chunk.sourceFile);
  return sentence === undefined ? [] : [sentence];
}

/** Describes the changed and deleted files that a chunk cites. */
export function citationSentences({ citations = [] }: CitationReport): readonly string[] {
  return citations.flatMap((citation) => {
    const sentence = citationSentence(citation);
    return sentence === undefined ? [] : [printableLine(sentence)];
  });
}

/** Formats the age of a note, or the time and agent of a session; empty for other sources. */
function formatAge(result: ResultBody): string {
  if (result.updated === undefined) return formatSpeaker(result).join('');
  return `changed ${ageText(result.updated, new Date())}`;
}

function formatSpeaker(result: ResultBody): readonly string[] {
  const text = saidText(result);
  return text === undefined ? [] : [printableLine(text)];
}

/** `████░ 0.82`. */
function relevanceText(relevance: number | undefined): string {
  return relevance === undefined ? '' : `${bar(relevance, BAR_WIDTH)} ${relevance.toFixed(2)}`;
}

const BAR_WIDTH = 5;
const INDENT = '   ';
const HEADING_MAX = 200;
/** With two lines each, five results fit on a screen of 24 lines. */
const PREVIEW_LINES = 2;
/** A code block or list up to this length is shown as a whole. */
const BLOCK_LINES = 8;

function contentLines(text: string, match: number, view: ResultsView): readonly string[] {
  const wrap = (shown: string) =>
    wrapText(markWords(shown, view), view.columns, INDENT).filter((line) => line !== '');
  if (view.full) return wrap(text);
  const answer = answeringLines(text, match);
  const { block } = answer;
  const whole = block === undefined ? '' : text.slice(block.start, block.end).trimEnd();
  if (whole !== '' && whole.length <= BLOCK_LINES * view.columns) {
    const lines = wrap(whole);
    if (lines.length <= BLOCK_LINES) return lines;
  }
  const lines = wrap(answerFrom(text, { ...answer, match }, view));
  if (lines.length <= PREVIEW_LINES) return lines;
  return [...lines.slice(0, PREVIEW_LINES - 1), `${lines[PREVIEW_LINES - 1]} …`];
}

/**
 * The text from the line of the match on, without blank lines; in a long line, from shortly before the match. Reads
 * only as much text as can be shown.
 */
function answerFrom(
  text: string,
  { match, start: lineStart, isFirst }: AnsweringLines & { readonly match: number },
  { columns }: ResultsView,
): string {
  const isFar = match - lineStart > columns;
  const start = isFar ? text.lastIndexOf(' ', match - columns / 2) + 1 : lineStart;
  const shown = takeHead(text.slice(start), 2 * PREVIEW_LINES * columns);
  return (isFirst && !isFar ? '' : '… ') + shown.replace(/\n\s*\n/g, '\n');
}

function markWords(text: string, { query, styles }: ResultsView): string {
  const words = shownWords(query).map((word) => wordPattern(word).source);
  const pattern = new RegExp(words.join('|') || '(?!)', 'giu');
  return text.replace(pattern, (word) => styles.match(word));
}
