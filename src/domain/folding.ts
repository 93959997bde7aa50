import { isAscii, normalized } from './text.js';

/**
 * A normalized text in which Greek, Cyrillic, Arabic and Hebrew words are the same with and without marks: tonos, the
 * dots of ё, hamza, niqqud, the dots of ta marbuta and ya, and Indic ones with and without nukta. Full-text indexes do
 * this for Latin letters alone, and there not for strokes and ligatures: ł counts as l, and œ as oe. A dotless ı counts
 * as an i, since capitals do not differ, and ß as ss.
 */
export function folded(text: string): string {
  const plain = normalized(text);
  if (isAscii(plain) || !FOLDED_LETTER.test(plain)) return plain;
  return plain
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(OTHER_LETTER, (letter) => SAME_LETTERS[letter] ?? letter)
    .normalize('NFC');
}

const SAME_LETTERS: Readonly<Record<string, string>> = {
  ...{ ٱ: 'ا', ة: 'ه', ى: 'ي', ی: 'ي', ک: 'ك' },
  ...{ ς: 'σ', ı: 'i', ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE' },
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ø: 'o', Ø: 'O', ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T' },
};
const OTHER_LETTER = new RegExp(`[${Object.keys(SAME_LETTERS).join('')}]`, 'g');
/** Dots below letters of Indic scripts. */
const NUKTA = String.raw`\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc`;
const FOLDED_LETTER = new RegExp(
  String.raw`[\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}${NUKTA}]|${OTHER_LETTER.source}`,
  'u',
);
/** With tatweel, which only makes a word longer. */
const MARKS = new RegExp(
  String.raw`(?<=[\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}]\p{M}*)\p{M}|[ـ${NUKTA}]`,
  'gu',
);
