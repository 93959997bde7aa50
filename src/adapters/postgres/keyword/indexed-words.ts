import { bigramText, containsCjk } from '../../../domain/query/bigrams.js';
import { tokensOf } from '../../stemmer/tokens.js';

/** The parts of a chunk that are searched. */
export interface SearchedText {
  readonly heading?: string | null | undefined;
  readonly content: string;
}

/** What the keyword index stores for a chunk. */
export interface IndexedWords {
  /** Separated by spaces. */
  readonly words: string;
  readonly wordCount: number;
  /** A `tsvector` as text. */
  readonly wordPositions: string;
  readonly bigramCount: number;
  /** A `tsvector` as text; null without Chinese, Japanese or Korean. */
  readonly bigramPositions: string | null;
}

export function indexedWords({ heading, content }: SearchedText): IndexedWords {
  const words = [tokensOf(heading ?? ''), tokensOf(content)];
  const isCjk = containsCjk(heading ?? '') || containsCjk(content);
  const bigrams = isCjk
    ? [tokensOf(bigramText(heading ?? '')), tokensOf(bigramText(content))]
    : undefined;
  return {
    words: words.flat().join(' '),
    wordCount: words.flat().length,
    wordPositions: toTsvector(words),
    bigramCount: bigrams?.flat().length ?? 0,
    bigramPositions: bigrams === undefined ? null : toTsvector(bigrams),
  };
}

/** Whether PostgreSQL indexes a token, which must not be too long. */
export function isIndexed(token: string): boolean {
  return Buffer.byteLength(token) <= LONGEST_LEXEME_BYTES;
}

/** A token has only letters and digits, so nothing has to be escaped. */
function toTsvector(columns: readonly (readonly string[])[]): string {
  const positions = new Map<string, number[]>();
  let position = 0;
  for (const column of columns) {
    position += 1;
    for (const token of column) {
      position += 1;
      if (!isIndexed(token)) continue;
      const known = positions.get(token);
      if (known === undefined) positions.set(token, [position]);
      else known.push(position);
    }
  }
  return Array.from(positions, ([token, places]) => `'${token}':${places.join(',')}`).join(' ');
}

/** Of a `tsvector`. */
const LONGEST_LEXEME_BYTES = 2046;
