/** Whether a text holds a letter of Chinese, Japanese or Korean, which FTS5 cannot cut into words. */
export function holdsCjk(text: string): boolean {
  return CJK_LETTER.test(text);
}

/**
 * A text in which a full-text index finds the words inside runs of Chinese, Japanese and Korean:
 * every run is replaced by its pairs of neighbouring letters and its last letter, so that each
 * letter begins a token. Other words stay as they are; letters are folded (NFKC).
 */
export function bigramText(text: string): string {
  return fold(text).replace(CJK_RUN, (run) => {
    const letters = [...run];
    return ` ${letters.map((letter, i) => letter + (letters[i + 1] ?? '')).join(' ')} `;
  });
}

/** A phrase of {@link bigramText}; with `prefix` its last token may go on. */
export interface BigramPhrase {
  readonly text: string;
  readonly prefix: boolean;
}

/** What a word is in {@link bigramText}, wherever in a run of letters it begins or ends. */
export function bigramPhrase(word: string): BigramPhrase {
  const text = bigramText(word).trim();
  const lastPart = fold(word).match(PART)?.at(-1) ?? '';
  if (!holdsCjk(lastPart)) return { text, prefix: false };
  if (isOneLetter(lastPart)) return { text, prefix: true };
  return { text: text.slice(0, text.lastIndexOf(' ')), prefix: false };
}

/** What a word that holds Chinese, Japanese or Korean is made of: pairs of letters, and other words. */
export function bigramParts(word: string): readonly string[] {
  return (fold(word).match(PART) ?? []).flatMap(pairsOf);
}

const LETTER = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}](?<=[\p{L}\p{N}\p{M}])`;
const CJK_LETTER = new RegExp(LETTER, 'u');
const CJK_RUN = new RegExp(`(?:${LETTER})+`, 'gu');
const PART = new RegExp(String.raw`(?:${LETTER})+|(?:(?!${LETTER})[\p{L}\p{N}\p{Co}\p{M}])+`, 'gu');

/** Half-width and full-width letters are the usual ones; a variant of a letter's form is that letter. */
function fold(text: string): string {
  return text.normalize('NFKC').replace(/\p{Variation_Selector}/gu, '');
}

function pairsOf(part: string): readonly string[] {
  if (isOneLetter(part) || !holdsCjk(part)) return [part];
  const letters = [...part];
  return letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}

function isOneLetter(text: string): boolean {
  return [...text].length === 1;
}
