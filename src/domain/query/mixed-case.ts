import { mixedCaseParts } from '../text.js';

/**
 * The mixed-case words of a text that have these letters as whole parts, in lower case, without duplicates:
 * `projectroot` finds `resolveProjectRoot` and `ProjectRootPath`, but neither `projectroot` itself nor `uprojectroots`.
 * @param letters in lower case
 */
export function mixedCaseWordsWith(letters: string, text: string): readonly string[] {
  const words = new Set(text.match(WORD));
  const found = [...words].filter((word) => isPart(letters, word));
  return [...new Set(found.map((word) => word.toLowerCase()))];
}

/** Longer words are not names. */
const WORD = /[\p{L}\p{N}]{1,100}/gu;

function isPart(letters: string, word: string): boolean {
  const lower = word.toLowerCase();
  if (lower === letters || !lower.includes(letters)) return false;
  const parts = mixedCaseParts(word).map((part) => part.toLowerCase());
  const runs = parts.flatMap((_, from) =>
    parts.slice(from).map((_, count) => parts.slice(from, from + count + 1).join('')),
  );
  return runs.includes(letters);
}
