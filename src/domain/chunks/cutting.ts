import { countWords, takeHead } from '../text.js';

/** How much text a piece may hold. */
export interface TextSize {
  readonly words: number;
  readonly characters: number;
}

/** A text with its size, because counting words takes most of the time. */
export interface SizedText extends TextSize {
  readonly text: string;
}

/** Where to cut a long text first. Smaller units follow, down to the inside of a word. */
type CutPlace = 'sentences' | 'lines';

/**
 * Cuts a text into pieces that fit: at sentence ends, else at line ends, else between words, else inside a word.
 * Joined, the pieces are the text. Sentences are combined while they fit, as are the lines or words of longer ones.
 * Takes linear time.
 */
export function cutToFit(
  text: string,
  limit: TextSize,
  first: CutPlace = 'sentences',
): readonly string[] {
  return cutAtLevel(measureText(text), limit, first === 'sentences' ? 0 : 1);
}

/** Joins adjacent pieces from left to right while they fit. */
export function packToFit(pieces: readonly string[], limit: TextSize): readonly string[] {
  return Array.from(pack(pieces.map(measureText), limit), textOfAll);
}

/** Like `packToFit`, but lazily, for any items with a text; yields each pack as a list of its items. */
export function* pack<T extends SizedText>(
  pieces: Iterable<T>,
  limit: TextSize,
): Generator<readonly [T, ...T[]]> {
  let open: [T, ...T[]] | undefined;
  let used: TextSize = EMPTY;
  for (const piece of pieces) {
    const grown = add(used, piece);
    if (open !== undefined && fits(grown, limit)) {
      open.push(piece);
      used = grown;
    } else {
      if (open !== undefined) yield open;
      open = [piece];
      used = piece;
    }
  }
  if (open !== undefined) yield open;
}

export function measureText(text: string): SizedText {
  return { text, words: countWords(text), characters: text.length };
}

export function fits(size: TextSize, limit: TextSize): boolean {
  return size.words <= limit.words && size.characters <= limit.characters;
}

export function textOfAll(pieces: readonly SizedText[]): string {
  return pieces.map(({ text }) => text).join('');
}

const EMPTY: TextSize = { words: 0, characters: 0 };

/** Each keeps white space with the piece before it, so that joining the pieces restores the text. */
const CUTS: readonly RegExp[] = [
  /(?=\S)(?<=[.!?…]["')\]]?\s+)|(?<=[。！？])/gu,
  /(?<=\n)/g,
  /(?=\S)(?<=\s)/g,
];

function cutAtLevel(whole: SizedText, limit: TextSize, level: number): readonly string[] {
  const { text } = whole;
  if (fits(whole, limit)) return [text];
  const cut = CUTS[level];
  if (cut === undefined) return slices(text, limit.characters);
  return packParts(text, cut, limit).flatMap((part) => cutAtLevel(part, limit, level + 1));
}

/** The parts between the cuts, joined while they fit, without a list of all parts. */
function packParts(text: string, cut: RegExp, limit: TextSize): readonly SizedText[] {
  const packs: SizedText[] = [];
  let [start, used] = [0, EMPTY];
  const take = (from: number, to: number) => {
    const part = { words: countWords(text.slice(from, to)), characters: to - from };
    const grown = add(used, part);
    if (from > start && !fits(grown, limit)) {
      packs.push({ ...used, text: text.slice(start, from) });
      [start, used] = [from, part];
    } else used = grown;
  };
  let from = 0;
  for (const { index } of text.matchAll(cut)) {
    if (index === text.length) continue;
    take(from, index);
    from = index;
  }
  take(from, text.length);
  return [...packs, { ...used, text: text.slice(start) }];
}

/** Slices of at most `length` UTF-16 units that do not split surrogate pairs. */
function slices(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const piece = takeHead(text.slice(start, start + length + 1), length) || text.charAt(start);
    pieces.push(piece);
    start += piece.length;
  }
  return pieces;
}

function add(a: TextSize, b: TextSize): TextSize {
  return { words: a.words + b.words, characters: a.characters + b.characters };
}
