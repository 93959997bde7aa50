import { formatCount } from '../../../domain/figures.js';
import { CLOSEST_RESULTS, doubtSentence } from '../../../domain/ranking/relevance.js';
import { isTransient, NOTHING_TO_RANK } from '../../../domain/ranking/search.js';
import { tokenCost } from '../../../domain/text.js';
import type { AnswerNote, Explanation } from '../../../schemas/explanation.js';
import type { ProjectsBody, ReadBody } from '../bodies.js';
import { printableLine, stylesFor } from './format.js';
import { wrapText } from './layout.js';
import { type ResultsView, resultLines, resultsText } from './results.js';

interface SearchView extends Omit<ResultsView, 'relevance'> {
  /** Filters of the search. */
  readonly sourceTypes?: readonly string[];
  readonly tags?: readonly string[];
  readonly paths?: readonly string[];
  readonly minRelevance?: number;
  /** The question in other words, from `--also`. */
  readonly also?: string;
  /** False if the caller turned off search by meaning. */
  readonly model?: boolean;
}

/** Formats the results of a search, with one line that sums them up. */
export function searchText(body: ReadBody, view: SearchView): string {
  const { results } = body;
  const lines = (text: string) => wrapText(text, view.columns).join('\n');
  if (results.length === 0) return lines(nothingFound(body, view));
  const isShort = areClosest(body) && view.full !== true;
  const tokens = isShort ? shownTokens(results, view) : body.totalTokens;
  return [
    ...doubts(body, view).map(lines),
    isShort
      ? resultLines(results, view)
      : resultsText(results, { ...view, relevance: results.map(({ relevance }) => relevance) }),
    view.styles.dim(lines(summary({ ...body, totalTokens: tokens }, view))),
  ].join('\n\n');
}

/** Formats the results of a search in several projects, with one line that sums them up. */
export function searchProjectsText(body: ProjectsBody, view: SearchView): string {
  const { results } = body;
  if (results.length === 0) return 'Nothing found.';
  const doubt = doubtSentence(results);
  const isShort = doubt !== undefined && results.length <= CLOSEST_RESULTS && view.full !== true;
  const tokens = isShort ? shownTokens(results, view) : body.totalTokens;
  return [
    ...(doubt === undefined ? [] : [wrapText(withAdvice(doubt, view), view.columns).join('\n')]),
    isShort
      ? resultLines(results, view)
      : resultsText(results, { ...view, relevance: results.map(({ relevance }) => relevance) }),
    view.styles.dim(`${formatCount(results.length, 'result')}, ${formatCount(tokens, 'token')}`),
  ].join('\n\n');
}

/** Tokens of results shown on one line each, without colors. `totalTokens` counts their whole texts instead. */
function shownTokens(results: Parameters<typeof resultLines>[0], view: SearchView): number {
  return tokenCost(resultLines(results, { ...view, styles: stylesFor(false) }));
}

/** Whether the results are merely the chunks closest to a question that probably has no answer. */
function areClosest({ results, weak, explain }: ReadBody): boolean {
  const isSaid = explain?.notes.some(({ code }) => OF_WEAK.has(code)) === true;
  return weak && isSaid && results.length <= CLOSEST_RESULTS;
}

/** Notes that explain why the results may not answer the question. */
const OF_WEAK: ReadonlySet<AnswerNote['code']> = new Set(['not_relevant', 'no_vectors']);

/** Notes that are printed above the results. */
const DOUBTS: ReadonlySet<AnswerNote['code']> = new Set(['not_relevant', 'corrected', 'rewritten']);

function doubts({ explain, weak }: ReadBody, view: SearchView): readonly string[] {
  const notes = (explain?.notes ?? []).filter(
    ({ code }) => DOUBTS.has(code) || (weak && OF_WEAK.has(code)),
  );
  return notes.map(({ code, sentence }) =>
    code === 'not_relevant' ? withAdvice(sentence, view) : sentence,
  );
}

function withAdvice(doubt: string, { also }: SearchView): string {
  return also === undefined ? `${doubt} ${OTHER_WORDS}` : doubt;
}

const OTHER_WORDS = 'Try again with --also and words that a document about it would use.';

function summary(body: ReadBody, { model = true }: SearchView): string {
  const { results, retrieval_mode: mode, totalTokens, leftOut, explain, weak } = body;
  const by = mode === 'hybrid' ? 'by keyword and meaning' : 'by keyword';
  const lacking = (explain?.notes ?? [])
    .filter((note) => isTransient(note) || (model && note.code === 'no_model'))
    .filter(({ code }) => !(weak && OF_WEAK.has(code)))
    .map(({ sentence }) => `. ${sentence}`);
  const cut =
    explain === undefined || explain.budget.cut === 0 ? '' : LIMITS[explain.budget.reason];
  const hidden =
    leftOut === 0
      ? ''
      : `, ${leftOut} weak ${leftOut === 1 ? 'match' : 'matches'} hidden (--all shows them)`;
  return `${formatCount(results.length, 'result')} ${by}, ${formatCount(totalTokens, 'token')}${cut}${hidden}${lacking.join('')}`;
}

/** Code of the note that says why no vectors were compared. */
const LACKING: AnswerNote['code'] = 'no_vectors';

/** Names the option to raise if its limit left results out. */
const LIMITS: Readonly<Record<Explanation['budget']['reason'], string>> = {
  'nothing cut': '',
  'maxResults reached': ', more with -n',
  'maxTokens reached': ', more with --max-tokens',
};

/** Explains an empty result with the notes of the search, and its filters. */
function nothingFound({ explain }: ReadBody, view: SearchView): string {
  const notes = (explain?.notes ?? []).filter(({ code }) => code !== 'no_model');
  const filters = [
    ...(view.sourceTypes ?? []).map((type) => `--type ${type}`),
    ...(view.tags ?? []).map((tag) => `--tag ${tag}`),
    ...(view.paths ?? []).map((path) => `--path ${path}`),
    ...(view.minRelevance === undefined ? [] : [`--min-relevance ${view.minRelevance}`]),
  ];
  const limits = filters.length === 0 ? '' : ` with ${filters.join(' ')}`;
  const is = (wanted: AnswerNote['code']) => notes.some(({ code }) => code === wanted);
  const byWords =
    explain?.mode.value === 'bm25' &&
    explain.mode.reason !== NOTHING_TO_RANK &&
    is('no_match') &&
    !is(LACKING)
      ? [`This search used keywords only. ${explain.mode.reason}`]
      : [];
  return printableLine(
    [
      `Nothing found${limits}.`,
      ...notes.map(({ sentence }) => sentence),
      ...byWords,
      ...(is('budget') ? ['Use a larger --max-tokens.'] : []),
    ].join(' '),
  );
}
