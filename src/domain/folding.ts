import { isAscii, normalized } from './text.js';

/**
 * Removes distinctions between letters in a normalized text. Greek, Cyrillic, Arabic and Hebrew words lose their marks
 * (tonos, the dots of ё, hamza, niqqud, the dots of ta marbuta and ya), and Indic words their nukta. Full-text indexes
 * only do this for Latin letters, except strokes and ligatures: here ł becomes l, and œ becomes oe. Dotless ı becomes
 * i, since capitals do not differ, and ß becomes ss.
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
/** Includes tatweel, which only lengthens a word. */
const MARKS = new RegExp(
  String.raw`(?<=[\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}]\p{M}*)\p{M}|[ـ${NUKTA}]`,
  'gu',
);
