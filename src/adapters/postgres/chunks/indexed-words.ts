import { findSideWords } from '../../../domain/query/side-words.js';
import { tokenize } from '../../stemmer/tokens.js';
import type { Columns } from '../database/session.js';

/** The parts of a chunk that are searched. */
interface SearchedText {
  readonly heading?: string | null | undefined;
  readonly content: string;
}

/** The data of the keyword index for a chunk. */
interface IndexedWords {
  readonly wordCount: number;
  /** A `tsvector` in text form. */
  readonly wordPositions: string;
  readonly bigramCount: number;
  /** The side words as a `tsvector` in text form; null if there are none. Words found only there have weight A. */
  readonly bigramPositions: string | null;
}

export function indexedWords({ heading, content }: SearchedText): IndexedWords {
  const words = [tokenize(heading ?? ''), tokenize(content)];
  const side = findSideWords({ heading, content });
  const sideTokens = side && [tokenize(side.heading), tokenize(side.content)];
  return {
    wordCount: words.flat().length,
    wordPositions: toTsvector(words),
    bigramCount: sideTokens?.flat().length ?? 0,
    bigramPositions: sideTokens ? toTsvector(sideTokens, new Set(tokenize(side.extra))) : null,
  };
}

/** The columns that hold {@link IndexedWords}. */
export const WORD_COLUMNS: Columns<{ readonly indexed: IndexedWords }> = {
  word_count: ['integer', ({ indexed }) => indexed.wordCount],
  word_positions: ['tsvector', ({ indexed }) => indexed.wordPositions],
  bigram_count: ['integer', ({ indexed }) => indexed.bigramCount],
  bigram_positions: ['tsvector', ({ indexed }) => indexed.bigramPositions],
};

/** Whether PostgreSQL can index a token: it refuses long ones. */
export function isIndexed(token: string): boolean {
  return Buffer.byteLength(token) <= LONGEST_LEXEME_BYTES;
}

/** Returns a `tsvector` in text form. Tokens have only letters and digits, so nothing needs escaping. */
export function toTsvector(
  columns: readonly (readonly string[])[],
  weighty: ReadonlySet<string> = new Set(),
): string {
  const positions = new Map<string, string[]>();
  let position = 0;
  for (const column of columns) {
    position += 1;
    for (const token of column) {
      position += 1;
      if (!isIndexed(token)) continue;
      const place = `${position}${weighty.has(token) ? 'A' : ''}`;
      const known = positions.get(token);
      if (known === undefined) positions.set(token, [place]);
      else known.push(place);
    }
  }
  return Array.from(positions, ([token, places]) => `'${token}':${places.join(',')}`).join(' ');
}

/** The limit that a `tsvector` sets for each lexeme. */
const LONGEST_LEXEME_BYTES = 2046;
