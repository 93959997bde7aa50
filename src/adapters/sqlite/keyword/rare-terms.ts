import type { Database } from 'better-sqlite3';
import type { Expression } from '../../../domain/query/expression.js';
import { prepared } from '../database/prepared.js';
import { toFtsMatch } from './fts-match.js';
import { filteredBy, matchesOf, oneOfRows, type Sql } from './match-list.js';
import type { KeywordSearch, RankedRow } from './ranked-row.js';
import { type TermFrequencies, termFrequencies } from './term-frequencies.js';

/** When the shortcut is taken. */
export interface Shortcut {
  /** Below so many chunks an index is searched as it is. */
  readonly leastChunks: number;
  /** So many chunks are found by the rare terms. */
  readonly candidates: number;
  /** The frequent terms that are left out make up at least this share of all occurrences. */
  readonly leastShare: number;
  /** They make up at most this share of the highest possible score. */
  readonly mostScore: number;
}

/** Chosen by measurement (docs/decisions/0024-fast-searches.md). */
const SHORTCUT: Shortcut = {
  leastChunks: 5000,
  candidates: 1000,
  leastShare: 0.5,
  mostScore: 0.12,
};

/**
 * The best rows for any of several terms, as `bestOfAll` returns them: found by the rare terms, then scored
 * with all of them. The frequent terms, which take most of the time, cannot add more to a score than a bound;
 * so chunks that the rare terms rank too low are out of the question ("MaxScore": Turtle and Flood, "Query
 * evaluation: strategies and optimizations", 1995). Undefined if that would not be faster, or the bound does
 * not prove that the result is exact.
 */
export function bestByRareTerms(
  db: Database,
  search: KeywordSearch,
  shortcut: Shortcut = SHORTCUT,
): readonly RankedRow[] | undefined {
  const { expression, filter, limit } = search;
  const terms = isFilteredByText(search) ? undefined : alternatives(expression);
  const frequencies = terms && termFrequencies(db);
  if (frequencies === undefined || frequencies.chunks < shortcut.leastChunks) return undefined;
  const split = splitTerms(terms ?? [], frequencies, shortcut);
  if (split === undefined) return undefined;
  const found = ranked(db, matchesOf(db, split.rare, filteredBy(filter)), shortcut.candidates);
  const numbers = found.map(({ number }) => number);
  const rows = ranked(db, matchesOf(db, expression, oneOfRows(numbers)), shortcut.candidates);
  const last = rows[limit - 1]?.score;
  if (last === undefined) return undefined;
  const lowest = found.length < shortcut.candidates ? 0 : -(found.at(-1)?.score ?? 0);
  if (-last <= (lowest + split.bound) * (1 + ROUNDING)) return undefined;
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

function splitTerms(
  terms: readonly Expression[],
  frequencies: TermFrequencies,
  { leastShare, mostScore }: Shortcut,
): Split | undefined {
  const byFrequency = terms
    .map((term) => ({ term, frequency: frequencies.of(toFtsMatch(term)) }))
    .filter(({ frequency }) => frequency > 0)
    .toSorted((a, b) => b.frequency - a.frequency)
    .map((entry) => ({ ...entry, most: highestScore(entry.frequency, frequencies.chunks) }));
  const total = byFrequency.reduce((sum, { most }) => sum + most, 0);
  const occurrences = byFrequency.reduce((sum, { frequency }) => sum + frequency, 0);
  let [count, bound, left] = [0, 0, 0];
  for (const { most, frequency } of byFrequency) {
    if (bound + most > mostScore * total) break;
    count += 1;
    bound += most;
    left += frequency;
  }
  if (count === 0 || count === byFrequency.length || left < leastShare * occurrences)
    return undefined;
  const rare = byFrequency.slice(count).map(({ term }) => term);
  return { rare: { kind: 'or', operands: rare }, bound };
}

/**
 * What one term can add to a score at most, however often a chunk repeats it: FTS5 computes bm25() with
 * k1 = 1.2, and an inverse document frequency of 1e-6 for terms in more than half of the chunks.
 */
function highestScore(frequency: number, chunks: number): number {
  const idf = Math.log((chunks - frequency + 0.5) / (frequency + 0.5));
  return (K1 + 1) * (idf > 0 ? idf : 1e-6);
}

const K1 = 1.2;

function ranked(db: Database, list: Sql, limit: number): readonly RankedRow[] {
  return prepared<unknown[], RankedRow>(db, `${list.sql} ORDER BY score, number LIMIT ?`).all(
    ...list.parameters,
    limit,
  );
}
