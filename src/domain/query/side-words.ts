import { bigramText, containsUnspaced, spacedWords } from '../bigrams.js';
import { foldLetters } from '../folding.js';
import { isAscii } from '../text.js';

/** The words of a chunk for a second index beside the full-text index of its text. */
export interface SideWords {
  /** As `bigramText` returns them. */
  readonly heading: string;
  readonly content: string;
  /** Those of them that the index of the stored text lacks. */
  readonly extra: string;
}

/**
 * Undefined if the index of the stored text has all words of the chunk. Otherwise the chunk has runs of a script
 * without spaces, or words changed by folding: ligatures, full-width letters, soft hyphens, marks on Greek letters.
 */
export function findSideWords(chunk: {
  readonly heading?: string | null | undefined;
  readonly content: string;
}): SideWords | undefined {
  const stored = `${chunk.heading ?? ''}\n${chunk.content}`;
  if (isAscii(stored)) return undefined;
  const text = foldLetters(stored);
  const known = new Set(stored.match(STORED_WORD));
  const extra = [...new Set(spacedWords(text))].filter((word) => !known.has(word));
  if (extra.length === 0 && !containsUnspaced(text)) return undefined;
  return {
    heading: bigramText(chunk.heading ?? ''),
    content: bigramText(chunk.content),
    extra: extra.join(' '),
  };
}

const STORED_WORD = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;
