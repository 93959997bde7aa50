import { stemmer } from 'stemmer';

/**
 * The words of a text, in the form in which they are compared: runs of letters and digits, in lower
 * case, without accents, as Porter stems. Voicing marks of Japanese kana are kept; they are not accents.
 */
export function tokensOf(text: string): readonly string[] {
  const folded = text
    .normalize('NFD')
    .replace(/(?![\u3099\u309a])\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase();
  return (folded.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []).map(stemOf);
}

/** Like FTS5, does not stem very long tokens. */
function stemOf(token: string): string {
  return token.length > LONGEST_WORD ? token : stemmer(token);
}

const LONGEST_WORD = 64;
