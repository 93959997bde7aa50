import { isAscii, normalizeText } from './text.js';

/**
 * Removes distinctions between letters in a normalized text. Greek, Cyrillic, Arabic and Hebrew words lose their marks
 * (tonos, the dots of ё, hamza, niqqud, the dots of ta marbuta and ya), and Indic words their nukta. Full-text indexes
 * only do this for Latin letters, except strokes and ligatures: here ł becomes l, and œ becomes oe. Dotless ı becomes
 * i, since capitals do not differ, ß becomes ss, and þ becomes th. Capitals of scripts whose case is newer than these
 * indexes become small.
 */
export function foldLetters(text: string): string {
  const plain = normalizeText(text);
  if (isAscii(plain) || !FOLDED_LETTER.test(plain)) return plain;
  return plain
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(OTHER_LETTER, (letter) => SAME_LETTERS[letter] ?? letter)
    .replace(NEW_CAPITALS, (letters) => letters.toLowerCase())
    .normalize('NFC');
}

const SAME_LETTERS: Readonly<Record<string, string>> = {
  ...{ ٱ: 'ا', ة: 'ه', ى: 'ي', ی: 'ي', ک: 'ك', ہ: 'ه', ھ: 'ه', ە: 'ه' },
  ...{ ς: 'σ', ı: 'i', ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE' },
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ø: 'o', Ø: 'O', ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T' },
  ...{ ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ŋ: 'n', Ŋ: 'N' },
};
const OTHER_LETTER = new RegExp(`[${Object.keys(SAME_LETTERS).join('')}]`, 'g');
/** Dots below letters of Indic scripts. */
const NUKTA = String.raw`\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc`;
/** One of the letters above or below with a mark, in one code point. */
const MARKED_LETTERS = 'ǢǣǼǽǾǿऩऱऴ';
/** Capitals that full-text indexes do not know: Georgian, Cherokee, Osage, Adlam and others. */
const NEW_CAPITALS = /[\u13a0-\u13f5\u1c90-\u1cbf\u{104b0}-\u{1e943}]+(?<=\p{Lu})/gu;
const FOLDED_LETTER = new RegExp(
  String.raw`[\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}${NUKTA}${MARKED_LETTERS}]|${OTHER_LETTER.source}|${NEW_CAPITALS.source}`,
  'u',
);
/** Includes tatweel, which only lengthens a word. */
const MARKS = new RegExp(
  String.raw`(?<=[\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}]\p{M}*)\p{M}|[ـ${NUKTA}]`,
  'gu',
);
