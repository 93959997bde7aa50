import { tokensOf } from '../../src/adapters/stemmer/tokens.js';
import type { Expression, Term } from '../../src/domain/query/expression.js';

/** The parts of a chunk that are searched. */
export interface SearchableText {
  readonly heading?: string;
  readonly content: string;
}

interface TextHit<T> {
  readonly text: T;
  /** BM25, above 0; higher is better. */
  readonly relevance: number;
}

/** The texts that match an expression, best first; equally relevant ones keep the order of `texts`. */
export function searchTexts<T extends SearchableText>(
  texts: readonly T[],
  expression: Expression,
): readonly TextHit<T>[] {
  const all = texts.map((text) => ({ text, words: wordsIn(text) }));
  const relevanceOf = bm25(all.map(({ words }) => words));
  return all
    .flatMap(({ text, words }) => {
      const found = match(expression, words);
      return found === undefined ? [] : [{ text, relevance: relevanceOf(found, words) }];
    })
    .toSorted((a, b) => b.relevance - a.relevance);
}

/** The tokens of heading and content, with a gap between them, so that no phrase spans both. */
interface IndexedText {
  readonly tokens: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
}

function indexed(heading: string, content: string): IndexedText {
  const tokens = [...tokensOf(heading), GAP, ...tokensOf(content)];
  const places = new Map<string, number[]>();
  for (const [place, token] of tokens.entries()) {
    const known = places.get(token);
    if (known === undefined) places.set(token, [place]);
    else known.push(place);
  }
  return { tokens, places };
}

const GAP = '';

/** Remembers what was made of an object, because chunks and terms never change. */
function remembered<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: make(key) };
    known.set(key, found);
    return found.value;
  };
}

const wordsIn = remembered(({ heading = '', content }: SearchableText) =>
  indexed(heading, content),
);

const tokensOfTerm = remembered(({ text }: Term) => tokensOf(text));

/** The terms by which a text matches; undefined if it does not match. */
type Match = readonly Term[] | undefined;

function match(expression: Expression, text: IndexedText): Match {
  switch (expression.kind) {
    case 'terms': {
      const counted = expression.terms.filter((term) => tokensOfTerm(term).length > 0);
      return all(counted.map((term) => (count(term, text) > 0 ? [term] : undefined)));
    }
    case 'and':
      return all(expression.operands.map((operand) => match(operand, text)));
    case 'or': {
      const made = expression.operands.flatMap((operand) => match(operand, text) ?? []);
      return made.length > 0 ? made : undefined;
    }
    case 'not':
      return match(expression.unwanted, text) === undefined
        ? match(expression.wanted, text)
        : undefined;
  }
}

/** Undefined if one is missing, or if there are none. */
function all(matches: readonly Match[]): Match {
  const made = matches.filter((found) => found !== undefined);
  return made.length > 0 && made.length === matches.length ? made.flat() : undefined;
}

/** How often the tokens of a term occur next to each other. */
function count(term: Term, { tokens, places }: IndexedText): number {
  const phrase = tokensOfTerm(term);
  const last = phrase.length - 1;
  const isHere = (start: number) =>
    phrase.every((token, i) => {
      const present = tokens[start + i];
      return term.prefix && i === last ? present?.startsWith(token) : present === token;
    });
  const starts = term.prefix && last === 0 ? [...tokens.keys()] : places.get(phrase[0] ?? GAP);
  return starts?.filter(isHere).length ?? 0;
}

const K1 = 1.2;
const B = 0.75;
/** Lower bound for a term that occurs in more than half of the texts, so that scores stay above 0. */
const MIN_IDF = 1e-6;

/** BM25 over all texts; a term that occurs twice in the expression counts twice. */
function bm25(
  texts: readonly IndexedText[],
): (found: readonly Term[], text: IndexedText) => number {
  const lengthOf = ({ tokens }: IndexedText) => tokens.length - 1;
  const averageLength = texts.reduce((sum, text) => sum + lengthOf(text), 0) / texts.length;
  const idfOf = remembered((term: Term) => {
    const holders = texts.filter((text) => count(term, text) > 0).length;
    return Math.max(MIN_IDF, Math.log((texts.length - holders + 0.5) / (holders + 0.5)));
  });
  return (found, text) => {
    const k = K1 * (1 - B + (B * lengthOf(text)) / averageLength);
    return found.reduce((sum, term) => {
      const frequency = count(term, text);
      return sum + (idfOf(term) * frequency * (K1 + 1)) / (frequency + k);
    }, 0);
  };
}
