import { bigramText, holdsCjk } from '../../src/domain/query/bigrams.js';
import {
  asBigrams,
  asWords,
  type Expression,
  looksInRuns,
  type Term,
} from '../../src/domain/query/query.js';

/** A text with the two columns of the full-text index. */
export interface IndexedText {
  readonly heading?: string;
  readonly content: string;
}

export interface NaiveHit<T> {
  readonly text: T;
  /** BM25 by the formula of FTS5: negative, lower is better. */
  readonly score: number;
}

/**
 * What FTS5 does, without an index and without a stemmer: every text is read for every query.
 * Best first; equal scores keep the order of `texts`.
 */
export function naiveSearch<T extends IndexedText>(
  texts: readonly T[],
  expression: Expression,
): readonly NaiveHit<T>[] {
  const words = matching(texts, asWords(expression));
  if (!looksInRuns(expression)) return words;
  const bigrams = texts.filter(textHoldsCjk).map((text) => ({ text, ...inBigrams(text) }));
  const hits = matching(bigrams, asBigrams(expression));
  const scores = new Map(words.map(({ text, score }) => [text, score]));
  for (const { text, score } of hits) {
    scores.set(text.text, Math.min(score, scores.get(text.text) ?? 0));
  }
  return texts
    .flatMap((text) => {
      const score = scores.get(text);
      return score === undefined ? [] : [{ text, score }];
    })
    .toSorted((a, b) => a.score - b.score);
}

function textHoldsCjk({ heading = '', content }: IndexedText): boolean {
  return holdsCjk(heading) || holdsCjk(content);
}

function inBigrams({ heading = '', content }: IndexedText): IndexedText {
  return { heading: bigramText(heading), content: bigramText(content) };
}

function matching<T extends IndexedText>(
  texts: readonly T[],
  expression: Expression,
): readonly NaiveHit<T>[] {
  const read = texts.map((text) => ({ text, columns: columnsOf(text) }));
  const weigh = weigher(read.map(({ columns }) => columns));
  return read
    .flatMap(({ text, columns }) => {
      const found = match(expression, columns);
      return found === undefined ? [] : [{ text, score: weigh(found, columns) }];
    })
    .toSorted((a, b) => a.score - b.score);
}

/** The tokens of a text as `unicode61` cuts it: letters and digits, in lower case, without diacritics. */
export function tokensOf(text: string): readonly string[] {
  const folded = text
    .normalize('NFD')
    .replace(/(?![\u3099\u309a])\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase();
  return folded.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
}

type Columns = readonly (readonly string[])[];

/** A term of a query and how often a text holds it. */
interface Found {
  readonly term: Term;
  readonly count: number;
}

const K1 = 1.2;
const B = 0.75;
const LEAST_IDF = 1e-6;

function columnsOf({ heading = '', content }: IndexedText): Columns {
  return [tokensOf(heading), tokensOf(content)];
}

/** The terms that made the text match; undefined where it does not. */
function match(expression: Expression, columns: Columns): readonly Found[] | undefined {
  switch (expression.kind) {
    case 'terms':
      return matchTerms(expression.terms, columns);
    case 'and':
      return all(expression.operands.map((operand) => match(operand, columns)));
    case 'or':
      return any(expression.operands.map((operand) => match(operand, columns)));
    case 'not':
      return match(expression.unwanted, columns) === undefined
        ? match(expression.wanted, columns)
        : undefined;
  }
}

/** Terms without a token do not count; terms that are all without one match nothing. */
function matchTerms(terms: readonly Term[], columns: Columns): readonly Found[] | undefined {
  const counted = terms.filter((term) => tokensOf(term.text).length > 0);
  const found = counted.map((term) => ({ term, count: countIn(columns, term) }));
  return found.length > 0 && found.every(({ count }) => count > 0) ? found : undefined;
}

function all(matches: readonly (readonly Found[] | undefined)[]): readonly Found[] | undefined {
  const made = matches.filter((found) => found !== undefined);
  return made.length === matches.length ? made.flat() : undefined;
}

function any(matches: readonly (readonly Found[] | undefined)[]): readonly Found[] | undefined {
  const made = matches.filter((found) => found !== undefined);
  return made.length > 0 ? made.flat() : undefined;
}

/** How often the tokens of a term stand side by side in one column. */
function countIn(columns: Columns, term: Term): number {
  const phrase = tokensOf(term.text);
  if (phrase.length === 0) return 0;
  return columns
    .flatMap((column) => column.map((_, start) => column.slice(start, start + phrase.length)))
    .filter((stretch) => phrase.every((token, i) => isToken(stretch[i], token, i))).length;

  function isToken(candidate: string | undefined, token: string, place: number): boolean {
    const maySayMore = term.prefix && place === phrase.length - 1;
    return maySayMore ? candidate?.startsWith(token) === true : candidate === token;
  }
}

/** BM25 of FTS5: k1 1.2, b 0.75, columns weighted equally, an idf that is not positive becomes 1e-6. */
function weigher(documents: readonly Columns[]) {
  const averageLength =
    documents.reduce((sum, columns) => sum + lengthOf(columns), 0) / documents.length;
  const idfOf = (term: Term) => {
    const holders = documents.filter((columns) => countIn(columns, term) > 0).length;
    const idf = Math.log((documents.length - holders + 0.5) / (holders + 0.5));
    return idf > 0 ? idf : LEAST_IDF;
  };
  const idfs = new Map<Term, number>();
  return (found: readonly Found[], columns: Columns): number => {
    const k = K1 * (1 - B + (B * lengthOf(columns)) / averageLength);
    return found.reduce((score, { term, count }) => {
      const idf = idfs.get(term) ?? idfOf(term);
      idfs.set(term, idf);
      return score - (idf * count * (K1 + 1)) / (count + k);
    }, 0);
  };
}

function lengthOf(columns: Columns): number {
  return columns.reduce((sum, column) => sum + column.length, 0);
}
