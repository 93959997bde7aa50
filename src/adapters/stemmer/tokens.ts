import { stemmer } from 'stemmer';

/**
 * The words of a text, in the form in which they are compared: runs of letters and digits, in lower case, without
 * accents, as Porter stems. Voicing marks of Japanese kana and the vowels of Thai, Lao, Khmer and Myanmar are kept;
 * they are not accents.
 */
export function tokenize(text: string): readonly string[] {
  const folded = text.normalize('NFD').replace(ACCENT, '').normalize('NFC').toLowerCase();
  return (folded.match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? []).map(stem);
}

const ACCENT = /(?![\u3099\u309a\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])\p{M}/gu;

/** Like FTS5, does not stem very long tokens. */
function stem(token: string): string {
  return token.length > LONGEST_WORD ? token : stemmer(token);
}

const LONGEST_WORD = 64;
