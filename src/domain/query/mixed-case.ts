/**
 * The words in mixed case of a text that have these letters as whole parts, in lower case and without repetition:
 * `projectroot` finds `resolveProjectRoot` and `ProjectRootPath`, and neither `projectroot` itself nor `uprojectroots`.
 * @param letters in lower case
 */
export function mixedCaseWordsWith(letters: string, text: string): readonly string[] {
  const found = new Set<string>();
  const lower = text.toLowerCase();
  // A letter whose lower case is longer would move the places.
  if (lower.length !== text.length) return [];
  for (let at = lower.indexOf(letters); at !== -1; at = lower.indexOf(letters, at + 1)) {
    const end = at + letters.length;
    const [before = '', first = '', after = ''] = [text[at - 1], text[at], text[end]];
    const begins = isLetter(before) ? isUpper(first) && !isUpper(before) : true;
    const ends = isLetter(after) ? isUpper(after) : true;
    if (begins && ends && (isLetter(before) || isLetter(after))) {
      found.add(wordAround(lower, at, end));
    }
  }
  return [...found];
}

function wordAround(text: string, at: number, end: number): string {
  let [from, to] = [at, end];
  while (from > 0 && isLetter(text[from - 1] ?? '') && end - from < WORD_MAX) from -= 1;
  while (isLetter(text[to] ?? '') && to - at < WORD_MAX) to += 1;
  return text.slice(from, to);
}

const WORD_MAX = 100;

function isLetter(sign: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(sign);
}

function isUpper(sign: string): boolean {
  return /^\p{Lu}$/u.test(sign);
}
