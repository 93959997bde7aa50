import { stemmer } from 'stemmer';

/**
 * Splits a text into tokens, the form in which words are compared: runs of letters and digits, lower-cased, without
 * accents, Porter-stemmed. Voicing marks of Japanese kana and the vowels of Thai, Lao, Khmer and Myanmar are kept; they
 * are not accents.
 */
export function tokenize(text: string): readonly string[] {
  const folded = text.normalize('NFD').replace(ACCENT, '').normalize('NFC').toLowerCase();
  return (folded.match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? []).map(stem);
}

const ACCENT = /(?![\u3099\u309a\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])\p{M}/gu;

/** Stems a token. Like FTS5, leaves very long tokens unchanged. */
function stem(token: string): string {
  return token.length > LONGEST_WORD ? token : stemmer(token);
}

const LONGEST_WORD = 64;
