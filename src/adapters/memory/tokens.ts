import { stemmer } from 'stemmer';

/**
 * The words of a text, as they are compared: runs of letters and digits, in lower case, without
 * accents, as their Porter stems. The marks that voice Japanese kana are not accents.
 */
export function tokensOf(text: string): readonly string[] {
  const folded = text
    .normalize('NFD')
    .replace(/(?![\u3099\u309a])\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase();
  return (folded.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []).map(stemOf);
}

/** As FTS5 stems: not what is longer than a word. */
function stemOf(token: string): string {
  return token.length > LONGEST_WORD ? token : stemmer(token);
}

const LONGEST_WORD = 64;
