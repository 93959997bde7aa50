import { isAscii, normalized } from '../chunks/text.js';

/**
 * A normalized text in which Greek, Cyrillic, Arabic and Hebrew words are the same with and without marks: tonos, the dots of ё,
 * hamza, niqqud. Full-text indexes do this for Latin letters alone. A dotless ı counts
 * as an i, since capitals do not differ, and ß as ss.
 */
export function folded(text: string): string {
  const plain = normalized(text);
  if (isAscii(plain) || !FOLDED_LETTER.test(plain)) return plain;
  return plain
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(/[ٱςıßẞ]/g, (letter) => SAME_LETTERS[letter] ?? letter);
}

const FOLDED = String.raw`[\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}ıßẞ]`;
const FOLDED_LETTER = new RegExp(FOLDED, 'u');
/** With tatweel, which only makes a word longer. */
const MARKS = /(?<=[\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}]\p{M}*)\p{M}|ـ/gu;
const SAME_LETTERS: Readonly<Record<string, string>> = { ٱ: 'ا', ς: 'σ', ı: 'i', ß: 'ss', ẞ: 'SS' };
