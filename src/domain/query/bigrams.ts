/** Whether a text contains a letter of Chinese, Japanese or Korean, which FTS5 cannot split into words. */
export function containsCjk(text: string): boolean {
  return CJK_LETTER.test(text);
}

/**
 * A text in which a full-text index finds words inside runs of Chinese, Japanese and Korean: every
 * run is replaced by its bigrams (overlapping pairs of adjacent letters) and its last letter, so that
 * a token begins at each letter. Other words stay as they are; the text is normalized to NFKC.
 */
export function bigramText(text: string): string {
  return fold(text).replace(CJK_RUN, (run) => {
    const letters = [...run];
    return ` ${letters.map((letter, i) => letter + (letters[i + 1] ?? '')).join(' ')} `;
  });
}

/** A phrase to look for in {@link bigramText}; with `prefix`, its last token also matches longer tokens. */
interface BigramPhrase {
  readonly text: string;
  readonly prefix: boolean;
}

/** The phrase that finds a word in {@link bigramText}, wherever in a run of letters it begins or ends. */
export function bigramPhrase(word: string): BigramPhrase {
  const text = bigramText(word).trim();
  const lastPart = fold(word).match(PART)?.at(-1) ?? '';
  if (!containsCjk(lastPart)) return { text, prefix: false };
  if (isOneLetter(lastPart)) return { text, prefix: true };
  return { text: text.slice(0, text.lastIndexOf(' ')), prefix: false };
}

/** Splits a word that contains Chinese, Japanese or Korean into its bigrams and its other words. */
export function bigramParts(word: string): readonly string[] {
  return (fold(word).match(PART) ?? []).flatMap(pairsOf);
}

const LETTER = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}](?<=[\p{L}\p{N}\p{M}])`;
const CJK_LETTER = new RegExp(LETTER, 'u');
const CJK_RUN = new RegExp(`(?:${LETTER})+`, 'gu');
const PART = new RegExp(String.raw`(?:${LETTER})+|(?:(?!${LETTER})[\p{L}\p{N}\p{Co}\p{M}])+`, 'gu');

/** NFKC turns half-width and full-width letters into the usual ones; variation selectors are dropped. */
function fold(text: string): string {
  return text.normalize('NFKC').replace(/\p{Variation_Selector}/gu, '');
}

function pairsOf(part: string): readonly string[] {
  if (isOneLetter(part) || !containsCjk(part)) return [part];
  const letters = [...part];
  return letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}

function isOneLetter(text: string): boolean {
  return [...text].length === 1;
}
