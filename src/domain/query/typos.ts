import { informativeWords, splitWords } from './query.js';

/** The words of a query's identifiers that may be mistyped if they occur nowhere. */
export function typoCandidates(exactWords: readonly string[]): readonly string[] {
  return informativeWords(exactWords.flatMap(splitWords)).filter((word) => TYPED.test(word));
}

/** Shorter words have too many neighbours, and numbers are rarely mistyped. */
const TYPED = /^(?=.*[a-z].*[a-z])[A-Za-z0-9]{5,32}$/;

/** All words that differ from a word by one inserted, deleted or replaced letter or digit, or by two swapped ones. */
export function neighbouringWords(word: string): readonly string[] {
  const neighbours = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const [before, sign, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
    neighbours.add(before + after);
    neighbours.add(before + after.charAt(0) + sign + after.slice(1));
    for (const other of SIGNS) {
      neighbours.add(before + other + after);
      neighbours.add(before + other + sign + after);
    }
  }
  neighbours.delete(word);
  return [...neighbours];
}

const SIGNS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A mistyped word of a query, and its replacement. */
export interface Correction {
  readonly typed: string;
  readonly found: string;
}
