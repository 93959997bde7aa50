import { foldLetters } from './folding.js';
import { normalizeText, takeHead } from './text.js';

/**
 * Whether a text contains a letter of a script whose words are searched inside runs of letters: Chinese, Japanese,
 * Korean, Thai, Lao, Khmer and Myanmar. FTS5 cannot split these runs.
 */
export function containsUnspaced(text: string): boolean {
  return UNSPACED_LETTER.test(text);
}

/**
 * A folded text in which a full-text index finds words inside runs of such letters. Each run becomes its bigrams
 * (overlapping pairs of adjacent letters) and its last letter, so that a token begins at every letter. Other words are
 * unchanged.
 */
export function bigramText(text: string): string {
  return foldLetters(text).replace(UNSPACED_RUN, (run) => {
    const letters = [...run];
    return ` ${letters.map((letter, i) => letter + (letters[i + 1] ?? '')).join(' ')} `;
  });
}

/** A text with each run of such letters replaced by a space. */
export function withoutUnspaced(text: string): string {
  return text.replace(UNSPACED_RUN, ' ');
}

/** A phrase to look for in {@link bigramText}; with `prefix`, its last token also matches longer tokens. */
interface BigramPhrase {
  readonly text: string;
  readonly prefix: boolean;
}

/** The phrase that finds a word, or the beginning of a long one, anywhere in a run of letters of {@link bigramText}. */
export function bigramPhrase(whole: string): BigramPhrase {
  const word = takeHead(whole, PHRASE_MAX_LETTERS);
  const text = bigramText(word).trim();
  const lastPart = splitRuns(foldLetters(word)).at(-1) ?? '';
  if (!containsUnspaced(lastPart)) return { text, prefix: false };
  if (isOneLetter(lastPart)) return { text, prefix: true };
  return { text: text.slice(0, text.lastIndexOf(' ')), prefix: false };
}

/** Long phrases are slow: all tokens are compared wherever the first one occurs. */
const PHRASE_MAX_LETTERS = 64;

/** Splits a word that contains such letters into its bigrams and its other words. */
export function bigramParts(word: string): readonly string[] {
  return splitRuns(normalizeText(word)).flatMap(toBigrams);
}

/** The words of a normalized text in scripts with spaces, even inside runs of other letters. */
export function spacedWords(text: string): readonly string[] {
  return splitRuns(text).filter((part) => !containsUnspaced(part));
}

const LETTER = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}](?<=[\p{L}\p{N}\p{M}])`;
const UNSPACED_LETTER = new RegExp(LETTER, 'u');
const UNSPACED_RUN = new RegExp(`(?:${LETTER})+`, 'gu');
const PART = new RegExp(String.raw`(?:${LETTER})+|(?:(?!${LETTER})[\p{L}\p{N}\p{Co}\p{M}])+`, 'gu');

/** Splits a text into runs of letters of scripts without spaces, and of other scripts. */
function splitRuns(text: string): readonly string[] {
  return text.match(PART) ?? [];
}

function toBigrams(part: string): readonly string[] {
  if (isOneLetter(part) || !containsUnspaced(part)) return [part];
  const letters = [...part];
  return letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}

function isOneLetter(text: string): boolean {
  return [...text].length === 1;
}
