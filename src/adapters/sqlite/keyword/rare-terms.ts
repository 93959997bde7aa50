import type { Database } from 'better-sqlite3';
import type { Expression } from '../../../domain/query/expression.js';
import { prepared } from '../database/prepared.js';
import {
  filteredBy,
  type KeywordSearch,
  matchesOf,
  oneOfRows,
  type RankedRow,
  ranked,
  toFtsMatch,
} from './match-list.js';

/** When the shortcut is tried. */
interface Shortcut {
  /** Below so many chunks an index is searched as it is. */
  readonly leastChunks: number;
  /** Below so many occurrences of the terms, too. */
  readonly leastOccurrences: number;
  /** So many chunks are found by the rare terms. */
  readonly candidates: number;
  /** The frequent terms that are left out make up at least this share of all occurrences. */
  readonly leastShare: number;
  /** They add at most as much to a score as so many terms of the query do on average. */
  readonly mostTerms: number;
}

/** Chosen by measurement (docs/decisions/0024-fast-searches.md). */
const SHORTCUT: Shortcut = {
  leastChunks: 5000,
  leastOccurrences: 10_000,
  candidates: 2000,
  leastShare: 0.5,
  mostTerms: 1,
};

/**
 * The best rows for any of several terms, as `bestRows` returns them: found by the rare terms, then scored
 * with all of them. The frequent terms, which take most of the time, cannot add more to a score than a bound;
 * so chunks that the rare terms rank lower than the last result by more than that are out of the question
 * ("MaxScore": Turtle and Flood, "Query evaluation: strategies and optimizations", 1995). Undefined if that would
 * not be faster, or if chunks that were not looked at may be better than the last result.
 */
export function bestByRareTerms(
  db: Database,
  search: KeywordSearch,
  shortcut: Shortcut = SHORTCUT,
): readonly RankedRow[] | undefined {
  const { expression, filter, limit } = search;
  const terms = isFilteredByText(search) ? undefined : alternatives(expression);
  const split = terms && splitTerms(db, terms, shortcut);
  if (split === undefined) return undefined;
  const found = ranked(db, matchesOf(split.rare, filteredBy(filter)), shortcut.candidates);
  const least = -(found[limit - 1]?.score ?? 0) * (1 - ROUNDING) - split.bound;
  const possible = found.filter(({ score }) => -score >= least);
  if (least <= 0 || possible.length === shortcut.candidates) return undefined;
  const numbers = possible.map(({ number }) => number);
  const rows = ranked(db, matchesOf(expression, oneOfRows(numbers)), possible.length);
  const last = rows[limit - 1]?.score ?? 0;
  return rows.filter(({ score }) => score <= last);
}

/** Sums of doubles may differ in their last digits. */
const ROUNDING = 1e-9;

/** A filter that reads the chunks themselves. */
function isFilteredByText({ filter: { excludedSources = [], tags = [] } }: KeywordSearch): boolean {
  return excludedSources.length > 0 || tags.length > 0;
}

/** The terms of a query for any of them, each as an expression; undefined for every other query. */
function alternatives(expression: Expression): readonly Expression[] | undefined {
  if (expression.kind !== 'or' || expression.operands.length < FEWEST_TERMS) return undefined;
  return expression.operands.every(isPlainTerm) ? expression.operands : undefined;
}

const FEWEST_TERMS = 3;

function isPlainTerm(expression: Expression): boolean {
  if (expression.kind !== 'terms' || expression.terms.length !== 1) return false;
  return expression.terms.every(({ inRun }) => inRun === undefined);
}

interface Split {
  readonly rare: Expression;
  /** More than the other terms can add to the score of any chunk. */
  readonly bound: number;
}

/** Counting the chunks with a term takes a tenth of the time of searching for it. */
function splitTerms(
  db: Database,
  terms: readonly Expression[],
  { leastChunks, leastOccurrences, leastShare, mostTerms }: Shortcut,
): Split | undefined {
  const chunks =
    prepared<[], number | null>(db, 'SELECT max(id) FROM chunks_fts_docsize').pluck().get() ?? 0;
  if (chunks < leastChunks) return undefined;
  const count = prepared<[string], number>(
    db,
    'SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?',
  ).pluck();
  const byFrequency = terms
    .map((term) => ({ term, frequency: count.get(toFtsMatch(term)) ?? 0 }))
    .filter(({ frequency }) => frequency > 0)
    .toSorted((a, b) => b.frequency - a.frequency)
    .map((entry) => ({ ...entry, most: highestScore(entry.frequency, chunks) }));
  const occurrences = sumOf(byFrequency, 'frequency');
  const allowed = (mostTerms * sumOf(byFrequency, 'most')) / byFrequency.length;
  const isLeftOut = (_: unknown, i: number) =>
    sumOf(byFrequency.slice(0, i + 1), 'most') <= allowed;
  const left = byFrequency.filter(isLeftOut);
  const isWorthIt =
    occurrences >= leastOccurrences && sumOf(left, 'frequency') >= leastShare * occurrences;
  if (!isWorthIt || left.length === 0 || left.length === byFrequency.length) return undefined;
  const rare = byFrequency.slice(left.length).map(({ term }) => term);
  return { rare: { kind: 'or', operands: rare }, bound: sumOf(left, 'most') };
}

/**
 * What one term can add to a score at most, however often a chunk repeats it: FTS5 computes bm25() with
 * k1 = 1.2, and an inverse document frequency of 1e-6 for terms in more than half of the chunks.
 * @param chunks at least as many as there are
 */
function highestScore(frequency: number, chunks: number): number {
  const idf = Math.log((chunks - frequency + 0.5) / (frequency + 0.5));
  return (K1 + 1) * (idf > 0 ? idf : 1e-6);
}

const K1 = 1.2;

function sumOf<Key extends string>(
  list: readonly Readonly<Record<Key, number>>[],
  key: Key,
): number {
  return list.reduce((sum, entry) => sum + entry[key], 0);
}
