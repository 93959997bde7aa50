import {
  asBigrams,
  asWords,
  type Expression,
  hasTermsInRuns,
  type Term,
} from '../../domain/query/expression.js';
import {
  bigramsIn,
  type IndexedText,
  type SearchableText,
  type TermTokens,
  termTokens,
  wordsIn,
} from './indexed-text.js';

export interface TextHit<T> {
  readonly text: T;
  /** BM25, above 0; higher is better. */
  readonly relevance: number;
}

/** The texts that match an expression, best first; equally relevant ones keep the order of `texts`. */
export function searchTexts<T extends SearchableText>(
  texts: readonly T[],
  expression: Expression,
): readonly TextHit<T>[] {
  const words = matching(texts, asWords(expression), wordsIn);
  const bigrams = hasTermsInRuns(expression)
    ? matching(texts, asBigrams(expression), bigramsIn)
    : [];
  const best = new Map<T, number>();
  for (const { text, relevance } of [...words, ...bigrams]) {
    best.set(text, Math.max(relevance, best.get(text) ?? 0));
  }
  return texts
    .flatMap((text) => {
      const relevance = best.get(text);
      return relevance === undefined ? [] : [{ text, relevance }];
    })
    .toSorted((a, b) => b.relevance - a.relevance);
}

/** Undefined for a text that is not in the index. */
type Read<T> = (text: T) => IndexedText | undefined;

function matching<T>(
  texts: readonly T[],
  expression: Expression,
  read: Read<T>,
): readonly TextHit<T>[] {
  const all = texts.flatMap((text) => {
    const indexed = read(text);
    return indexed === undefined ? [] : [{ text, indexed }];
  });
  const relevanceOf = bm25(all.map(({ indexed }) => indexed));
  return all.flatMap(({ text, indexed }) => {
    const found = match(expression, indexed);
    return found === undefined ? [] : [{ text, relevance: relevanceOf(found, indexed) }];
  });
}

/** A term of a query and how often it occurs in a text. */
interface MatchedTerm {
  readonly term: Term;
  readonly count: number;
}

/** The terms by which a text matches; undefined if it does not match. */
function match(expression: Expression, text: IndexedText): readonly MatchedTerm[] | undefined {
  switch (expression.kind) {
    case 'terms':
      return matchTerms(expression.terms, text);
    case 'and':
      return matchAll(expression.operands.map((operand) => match(operand, text)));
    case 'or':
      return matchAny(expression.operands.map((operand) => match(operand, text)));
    case 'not':
      return match(expression.unwanted, text) === undefined
        ? match(expression.wanted, text)
        : undefined;
  }
}

/** Terms without a token are ignored; if no term has a token, nothing matches. */
function matchTerms(terms: readonly Term[], text: IndexedText): readonly MatchedTerm[] | undefined {
  const counted = terms.filter((term) => tokensOfTerm(term).tokens.length > 0);
  const found = counted.map((term) => ({ term, count: text.count(tokensOfTerm(term)) }));
  return found.length > 0 && found.every(({ count }) => count > 0) ? found : undefined;
}

type Match = readonly MatchedTerm[] | undefined;

function matchAll(matches: readonly Match[]): Match {
  const made = matches.filter((found) => found !== undefined);
  return made.length === matches.length ? made.flat() : undefined;
}

function matchAny(matches: readonly Match[]): Match {
  const made = matches.filter((found) => found !== undefined);
  return made.length > 0 ? made.flat() : undefined;
}

const K1 = 1.2;
const B = 0.75;
/** Lower bound for a term that occurs in more than half of the texts, so that scores stay above 0. */
const MIN_IDF = 1e-6;

/** BM25 over all texts; a term that occurs twice in the expression counts twice. */
function bm25(
  texts: readonly IndexedText[],
): (found: readonly MatchedTerm[], text: IndexedText) => number {
  const averageLength = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const idfs = new Map<Term, number>();
  const idfOf = (term: Term) => {
    const known = idfs.get(term);
    if (known !== undefined) return known;
    const holders = texts.filter((text) => text.count(tokensOfTerm(term)) > 0).length;
    const idf = Math.log((texts.length - holders + 0.5) / (holders + 0.5));
    const used = idf > 0 ? idf : MIN_IDF;
    idfs.set(term, used);
    return used;
  };
  return (found, { length }) => {
    const k = K1 * (1 - B + (B * length) / averageLength);
    return found.reduce(
      (sum, { term, count }) => sum + (idfOf(term) * count * (K1 + 1)) / (count + k),
      0,
    );
  };
}

const TERMS = new WeakMap<Term, TermTokens>();

function tokensOfTerm(term: Term): TermTokens {
  const known = TERMS.get(term) ?? termTokens(term);
  TERMS.set(term, known);
  return known;
}
