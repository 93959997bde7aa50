import type { Explanation } from '../../../domain/search.js';
import type { ResultBody, SearchBody } from '../bodies.js';
import { wrapped } from './layout.js';
import { firstMatch, marked } from './matches.js';
import { counted } from './numbers.js';
import { printable, printableLine } from './printable.js';
import type { Styles } from './styles.js';

export interface ResultsView {
  readonly styles: Styles;
  readonly columns: number;
  /** Show the whole text of each result, not only the lines around the first match. */
  readonly full?: boolean;
  readonly explain?: boolean;
}

/** The results of a search, and one line that sums them up. */
export function searchText(body: SearchBody, view: ResultsView): string {
  const { results, retrieval_mode: mode, totalTokens, explain } = body;
  if (results.length === 0) return 'Nothing found.';
  const terms = explain?.query.terms ?? [];
  const cut =
    explain === undefined || explain.budget.cut === 0 ? '' : `, ${LIMITS[explain.budget.reason]}`;
  const by = mode === 'hybrid' ? 'by keyword and meaning' : 'by keyword';
  return [
    resultsText(results, terms, view),
    ...(view.explain && explain ? [explanationText(explain, view)] : []),
    view.styles.dim(
      wrapped(
        `${counted(results.length, 'result')} ${by}, ${counted(totalTokens, 'token')}${cut}`,
        view.columns,
      ).join('\n'),
    ),
  ].join('\n\n');
}

/** Which option left results out. */
const LIMITS: Readonly<Record<Explanation['budget']['reason'], string>> = {
  'nothing cut': '',
  'maxResults reached': 'more with a larger --max-results',
  'maxTokens reached': 'more with a larger --max-tokens',
};

/** Chunks, one below the other, with the terms marked. */
export function resultsText(
  results: readonly ResultBody[],
  terms: readonly string[],
  view: ResultsView,
): string {
  return results.map((result, i) => resultText(result, i + 1, { ...view, terms })).join('\n\n');
}

type TermsView = ResultsView & { readonly terms: readonly string[] };

function resultText({ chunk, score }: ResultBody, rank: number, view: TermsView): string {
  const { styles, terms } = view;
  const heading =
    chunk.heading === undefined
      ? ''
      : ` › ${marked(printableLine(chunk.heading), terms, styles.match)}`;
  const title = `${styles.dim(`${rank}.`)} ${styles.name(printableLine(chunk.sourceFile))}${heading}`;
  const details = [chunk.id, shortScore(score), ...(chunk.tags ?? []).map((tag) => `#${tag}`)];
  return [
    title,
    ...contentLines(chunk.content, view),
    `${INDENT}${styles.dim(printableLine(details.join('  ')))}`,
  ].join('\n');
}

const INDENT = '   ';
const PREVIEW_LINES = 4;

function contentLines(content: string, view: TermsView): readonly string[] {
  const { terms, styles, columns } = view;
  const text = printable(content).trim();
  const shown = view.full ? text : aroundMatch(text, terms);
  const lines = wrapped(marked(shown, terms, styles.match), columns, INDENT);
  if (view.full || lines.length <= PREVIEW_LINES) return lines;
  return [...lines.slice(0, PREVIEW_LINES - 1), `${lines[PREVIEW_LINES - 1]} …`];
}

/** The text from the line of the first match on, without blank lines. */
function aroundMatch(text: string, terms: readonly string[]): string {
  const lineStart = text.lastIndexOf('\n', firstMatch(text, terms)) + 1;
  const start = lineStart === 0 ? '' : '… ';
  return start + text.slice(lineStart).replace(/\n\s*\n/g, '\n');
}

function explanationText(explain: Explanation, { styles }: ResultsView): string {
  const candidates = Object.entries(explain.candidates)
    .map(([list, count]) => `${count} ${CANDIDATE_LISTS[list] ?? list}`)
    .join(', ');
  const ranks = explain.results.map(
    ({ id, keywordRank = '–', vectorRank = '–', cosine }) =>
      `  ${printableLine(id)}  keyword ${keywordRank}, vector ${vectorRank}${cosine === undefined ? '' : `, cosine ${cosine.toFixed(3)}`}`,
  );
  return [
    styles.bold('Why'),
    `  read as ${explain.query.kind}: ${printableLine(explain.query.terms.join(' · '))}`,
    `  ${printableLine(explain.mode.reason)}`,
    `  candidates: ${candidates}`,
    ...ranks,
  ].join('\n');
}

const CANDIDATE_LISTS: Readonly<Record<string, string>> = {
  structured: 'matched the expression',
  allWords: 'with all words',
  anyWord: 'with any word',
  withVector: 'ranked by a vector',
  vectorOnly: 'found by vectors only',
};

function shortScore(score: number): string {
  return String(Number(score.toPrecision(3)));
}
