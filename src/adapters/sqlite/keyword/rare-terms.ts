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
export interface Shortcut {
  /** Below so many chunks an index is searched as it is. */
  readonly leastChunks: number;
  /** Below so many occurrences of the terms, too. */
  readonly leastOccurrences: number;
  /** So many chunks are found by the rare terms. */
  readonly candidates: number;
  /** The frequent terms that are left out make up at least this share of all occurrences. */
  readonly leastShare: number;
  /**
   * They add at most as much to a score as so many terms of the query do on average: at first `least`, more with each
   * shortcut that was exact, and less with each that was not. How far the best chunks are ahead of the others depends
   * on the texts and on how people ask.
   */
  readonly mostTerms: { readonly least: number; readonly most: number };
}

/** Chosen by measurement (docs/decisions/0024-fast-searches.md). */
const SHORTCUT: Shortcut = {
  leastChunks: 5000,
  leastOccurrences: 10_000,
  candidates: 2000,
  leastShare: 0.5,
  mostTerms: { least: 0.75, most: 2 },
};

/**
 * The best rows for any of several terms, as `bestOfAll` returns them: found by the rare terms, then scored
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
  const terms = isFilteredByText(search) ? undefined : alternatives(search.expression);
  const frequencies = terms && termFrequencies(db);
  if (frequencies === undefined || frequencies.chunks < shortcut.leastChunks) return undefined;
  const { least, most } = shortcut.mostTerms;
  const mostTerms = TRIED.get(db) ?? least;
  const split = splitTerms(terms ?? [], frequencies, { ...shortcut, mostTerms });
  if (split === undefined) return undefined;
  const rows = rowsBySplit(db, search, { ...split, candidates: shortcut.candidates });
  TRIED.set(
    db,
    rows === undefined ? Math.max(least, mostTerms / 1.5) : Math.min(most, mostTerms * 1.2),
  );
  return rows;
}

/** How much is left out in a database at present: a number of terms. */
const TRIED = new WeakMap<Database, number>();

function rowsBySplit(
  db: Database,
  { expression, filter, limit }: KeywordSearch,
  { rare, bound, candidates }: Split & Pick<Shortcut, 'candidates'>,
): readonly RankedRow[] | undefined {
  const found = ranked(db, matchesOf(db, rare, filteredBy(filter)), candidates);
  const least = -(found[limit - 1]?.score ?? 0) * (1 - ROUNDING) - bound;
  const possible = found.filter(({ score }) => -score >= least);
  if (least <= 0 || possible.length === candidates) return undefined;
  const numbers = possible.map(({ number }) => number);
  const rows = ranked(db, matchesOf(db, expression, oneOfRows(numbers)), candidates);
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

type Limits = Omit<Shortcut, 'mostTerms'> & { readonly mostTerms: number };

function splitTerms(
  terms: readonly Expression[],
  frequencies: TermFrequencies,
  { leastOccurrences, leastShare, mostTerms }: Limits,
): Split | undefined {
  const byFrequency = terms
    .map((term) => ({ term, frequency: frequencies.of(toFtsMatch(term)) }))
    .filter(({ frequency }) => frequency > 0)
    .toSorted((a, b) => b.frequency - a.frequency)
    .map((entry) => ({ ...entry, most: highestScore(entry.frequency, frequencies.chunks) }));
  const occurrences = byFrequency.reduce((sum, { frequency }) => sum + frequency, 0);
  if (occurrences < leastOccurrences) return undefined;
  const average = byFrequency.reduce((sum, { most }) => sum + most, 0) / byFrequency.length;
  let [count, bound, left] = [0, 0, 0];
  for (const { most, frequency } of byFrequency) {
    if (bound + most > mostTerms * average) break;
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

/** How often terms occur in the full-text index, as it is within the current transaction. */
interface TermFrequencies {
  readonly version: string;
  /** Chunks in the index. */
  readonly chunks: number;
  /** The number of chunks that match a term, given in the query language of FTS5. */
  of(match: string): number;
}

/** Counting a term takes a tenth of the time of searching for it, so the counts are kept while the index stays as it is. */
export function termFrequencies(db: Database): TermFrequencies {
  const version = indexVersion(db);
  const known = KNOWN.get(db);
  if (known?.version === version) return known;
  const counts = new Map<string, number>();
  const count = prepared<[string], number>(
    db,
    'SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?',
  ).pluck();
  const frequencies: TermFrequencies = {
    version,
    chunks: prepared<[], number>(db, 'SELECT count(*) FROM chunks_fts_docsize').pluck().get() ?? 0,
    of(match) {
      const found = counts.get(match) ?? count.get(match) ?? 0;
      if (counts.size >= MOST_KNOWN) counts.clear();
      counts.set(match, found);
      return found;
    },
  };
  KNOWN.set(db, frequencies);
  return frequencies;
}

const KNOWN = new WeakMap<Database, TermFrequencies>();

const MOST_KNOWN = 5000;

/**
 * Changes with every write to the index: the totals and the structure of its segments, which FTS5 keeps in two
 * rows (sqlite.org/fts5.html, "The FTS5 data table").
 */
function indexVersion(db: Database): string {
  return prepared<[], Buffer>(db, 'SELECT block FROM chunks_fts_data WHERE id IN (1, 10)')
    .pluck()
    .all()
    .map((block) => block.toString('base64'))
    .join(' ');
}
