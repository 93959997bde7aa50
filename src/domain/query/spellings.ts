/**
 * Other spellings of a word to search for: `16 GB` for `16GB`, `10 000` (which finds `10,000`) for `10000`, `e mail`
 * (which finds `e-mail`) for `email`, `Mueller` for `Müller` and vice versa. The index itself does not distinguish
 * `Müller` from `Muller`.
 */
export function otherSpellings(word: string): readonly string[] {
  const spellings = FORMS.map((form) => form(word));
  return [...new Set(spellings)].filter((spelling) => spelling !== word);
}

/** A word written as two: `data set` for `dataset`, which also finds `data-set`. */
export function twoWords(word: string): readonly string[] {
  if (!/^\p{Script=Latin}{6,24}$/u.test(word)) return [];
  const places = Array.from({ length: word.length - 3 }, (_, index) => index + 2);
  return places.map((at) => `${word.slice(0, at)} ${word.slice(at)}`);
}

const FORMS = [splitNumber, groupDigits, splitCompound, spellOut, withUmlauts, withRings];

function splitCompound(word: string): string {
  return word.replace(COMPOUND, '$1$2$3$4 ');
}

/** Compounds that people write as one word, with a hyphen, or as two words. */
const COMPOUND =
  /^(?:(e)(?=(?:book|commerce|learning|mail|mailing|paper|reader|sport)s?$)|(on|off)(?=line$)|(back|front)(?=ends?$)|(set|sign|start|log|wi|code|data|file|user|time|run|white)(?=(?:up|in|fi|base|name|out|time|space)s?$))/i;

function splitNumber(word: string): string {
  return word.replace(/^(\p{N}+)(?=\p{L}+$)|^(\p{L}+)(?=\p{N}+$)/u, '$1$2 ');
}

function groupDigits(word: string): string {
  return /^\d{4,15}$/.test(word) ? word.replace(/\B(?=(?:\d{3}){1,5}$)/g, ' ') : word;
}

function spellOut(word: string): string {
  return word.normalize('NFC').replace(/[äöüßæœøå]/giu, (letter) => {
    return SPELLED_OUT[letter.toLowerCase()] ?? letter;
  });
}

const SPELLED_OUT: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'oe',
  å: 'aa',
};

/**
 * Turns `ae`, `oe` and `ue` into `a`, `o` and `u` at the beginning or between consonants, where few other words have
 * them; in short words (`poet`) only at the beginning, and not in `values` and `issued`.
 */
function withUmlauts(word: string): string {
  const isName = /^\p{Lu}/u.test(word) && word.length === 5;
  const isLong = word.length >= 6 || isName;
  if (!isLong) return word.replace(/^([aou])e(?=[b-df-hj-np-tv-z])/i, '$1');
  return word.replace(/(?<=^|[b-df-hj-np-tv-z])([aou])e(?=[b-df-hj-np-tv-z])(?![ds]$)/giu, '$1');
}

/** Turns the `aa` of Scandinavian names into `a`, because the index stores `å` as `a`. */
function withRings(word: string): string {
  return word.length < 5 ? word : word.replace(/aa/gi, (pair) => pair.charAt(0));
}
