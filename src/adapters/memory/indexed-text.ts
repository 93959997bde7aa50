import { bigramText, containsCjk } from '../../domain/query/bigrams.js';
import type { Term } from '../../domain/query/expression.js';
import { tokensOf } from '../stemmer/tokens.js';

/** The parts of a chunk that are searched. */
export interface SearchableText {
  readonly heading?: string;
  readonly content: string;
}

/** The positions of each token in the heading and in the content of one text. */
export class IndexedText {
  readonly length: number;
  readonly #columns: readonly Column[];

  constructor({ heading = '', content }: SearchableText) {
    this.#columns = [columnOf(tokensOf(heading)), columnOf(tokensOf(content))];
    this.length = this.#columns.reduce((sum, { tokens }) => sum + tokens.length, 0);
  }

  /** How often the tokens of a term occur next to each other in the heading or in the content. */
  count({ tokens, prefix }: TermTokens): number {
    return this.#columns.reduce((sum, column) => sum + countIn(column, tokens, prefix), 0);
  }
}

/** The tokens of a text. Cached by object, because chunks are immutable. */
export function wordsIn(text: SearchableText): IndexedText {
  return cached(WORDS, text, () => new IndexedText(text));
}

/** The tokens of the `bigramText` of a text; undefined if it contains no Chinese, Japanese or Korean. */
export function bigramsIn(text: SearchableText): IndexedText | undefined {
  const { heading = '', content } = text;
  if (!containsCjk(heading) && !containsCjk(content)) return undefined;
  const bigrams = { heading: bigramText(heading), content: bigramText(content) };
  return cached(BIGRAMS, text, () => new IndexedText(bigrams));
}

/** The tokens of a term, in the form in which they are compared. */
export interface TermTokens {
  readonly tokens: readonly string[];
  /** Whether the last token also matches longer tokens. */
  readonly prefix: boolean;
}

export function termTokens({ text, prefix }: Term): TermTokens {
  return { tokens: tokensOf(text), prefix };
}

interface Column {
  readonly tokens: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
}

function columnOf(tokens: readonly string[]): Column {
  const places = new Map<string, number[]>();
  for (const [place, token] of tokens.entries()) {
    const known = places.get(token);
    if (known === undefined) places.set(token, [place]);
    else known.push(place);
  }
  return { tokens, places };
}

function countIn({ tokens, places }: Column, phrase: readonly string[], prefix: boolean): number {
  const [first, ...rest] = phrase;
  if (first === undefined) return 0;
  const last = phrase.length - 1;
  const isToken = (candidate: string | undefined, i: number) =>
    prefix && i === last
      ? candidate?.startsWith(phrase[i] ?? '') === true
      : candidate === phrase[i];
  const starts = prefix && last === 0 ? [...tokens.keys()] : (places.get(first) ?? []);
  return starts.filter(
    (start) =>
      isToken(tokens[start], 0) && rest.every((_, i) => isToken(tokens[start + i + 1], i + 1)),
  ).length;
}

const WORDS = new WeakMap<SearchableText, IndexedText>();
const BIGRAMS = new WeakMap<SearchableText, IndexedText>();

function cached(
  cache: WeakMap<SearchableText, IndexedText>,
  text: SearchableText,
  make: () => IndexedText,
): IndexedText {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const made = make();
  cache.set(text, made);
  return made;
}
