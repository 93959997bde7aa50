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
import { cut, displayWidth, wrapped } from './layout.js';
import { bar } from './progress.js';

export interface ResultsView {
  readonly styles: Styles;
  readonly columns: number;
  /** Show the whole text of each result, not only the lines around the first match. */
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

/** Chunks, one below the other, best first. */
export function resultsText(results: readonly ResultBody[], view: ResultsView): string {
  return shownResults(results, view)
    .map((shown) => resultText(shown, view))
    .join('\n\n');
}

/** Chunks, one line each, for results that are probably not an answer. */
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
  /** Where the passage is in the text. */
  readonly match: number;
  readonly relevance: number | undefined;
  /** A sentence about its file in the worktree; empty if it does not differ. */
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
  const lines = sentences.flatMap((one) => wrapped(one, view.columns, INDENT));
  return lines.map(view.styles.dim);
}

function resultLine({ number, place, heading, text, match }: ShownResult, view: ResultsView) {
  const first = `${number} ${place}`;
  const start = heading === '' ? '' : `${cut(`› ${heading}`, 50)}: `;
  const passage = printableLine(text.slice(answeringLines(text, match).start));
  return `${view.styles.name(first)} ${marked(start + cut(passage, PASSAGE_COLUMNS), view)}`;
}

/** Enough to judge a passage by; a narrow terminal breaks the line. */
const PASSAGE_COLUMNS = 120;

/** The place is never broken into lines, so that a terminal can link it. */
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
      ? [first + (heading && ` › ${marked(heading, view)}`) + (ends && `  ${styles.dim(ends)}`)]
      : [first, ...headingLines(heading, view), ...wrapped(ends, columns, INDENT)];
  const remarks = remarkLines([...shown.difference, ...citationSentences(result)], view);
  return [...title, ...remarks, ...contentLines(text, match, view)].join('\n');
}

/** Below its place a heading takes one line, so that long ones do not push the text off the screen. */
function headingLines(heading: string, view: ResultsView): readonly string[] {
  if (heading === '') return [];
  const line = `› ${heading}`;
  if (view.full) return wrapped(marked(line, view), view.columns, INDENT);
  return [INDENT + marked(cut(line, view.columns - INDENT.length), view)];
}

function worktreeDifference({ chunk }: ResultBody, view: ResultsView): readonly string[] {
  const sentence = view.worktreeText?.(chunk.sourceFile);
  return sentence === undefined ? [] : [sentence];
}

/** Changed and deleted files that a chunk cites. */
export function citationSentences({ citations = [] }: CitationReport): readonly string[] {
  return citations.flatMap((citation) => {
    const sentence = citationSentence(citation);
    return sentence === undefined ? [] : [printableLine(sentence)];
  });
}

/** The age of a note, or the time and agent of a session; empty for other sources. */
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
/** Five results fit a screen of 24 lines. */
const PREVIEW_LINES = 2;
/** A code block or list up to this length is shown as a whole. */
const BLOCK_LINES = 8;

function contentLines(text: string, match: number, view: ResultsView): readonly string[] {
  const wrap = (shown: string) =>
    wrapped(marked(shown, view), view.columns, INDENT).filter((line) => line !== '');
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
 * The text from the line of a match, or from near the match in a long one, without blank lines. Reads only as much as
 * can be shown.
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

function marked(text: string, { query, styles }: ResultsView): string {
  const words = shownWords(query).map((word) => wordPattern(word).source);
  const pattern = new RegExp(words.join('|') || '(?!)', 'giu');
  return text.replace(pattern, (word) => styles.match(word));
}
