import { headOf } from './text.js';
import { countWords } from './tokens.js';

/** How much text a piece may hold. */
export interface TextSize {
  readonly words: number;
  readonly characters: number;
}

/**
 * Cuts a text into pieces that fit: where it must, at sentence ends, else at line ends, else
 * between words, else inside a word. Together the pieces are the text; sentences are joined while
 * they fit, and so are the lines or words of one that does not.
 * Takes time linear in the text.
 */
export function cutToFit(text: string, limit: TextSize): readonly string[] {
  return cutAtLevel(sized(text), limit, 0);
}

/** Joins neighbours from left to right while they fit; what fits with none stays alone. */
export function packToFit(pieces: readonly string[], limit: TextSize): readonly string[] {
  return Array.from(pack(pieces, limit), ({ text }) => text);
}

/** As `packToFit`, then as `cutToFit` where that does not fit; each piece only when it is asked for. */
export function* packAndCut(pieces: Iterable<string>, limit: TextSize): Iterable<string> {
  for (const part of pack(pieces, limit)) yield* cutAtLevel(part, limit, 0);
}

export function fitsInto(text: string, limit: TextSize): boolean {
  return fits(sized(text), limit);
}

/** A text with its size, because to count words takes most of the time. */
interface SizedText extends TextSize {
  readonly text: string;
}

function sized(text: string): SizedText {
  return { text, words: countWords(text), characters: text.length };
}

function* pack(pieces: Iterable<string>, limit: TextSize): Generator<SizedText> {
  let open: string[] = [];
  let used: TextSize = EMPTY;
  for (const piece of pieces) {
    const size = sized(piece);
    const grown = add(used, size);
    const joins = open.length === 0 || fits(grown, limit);
    if (!joins) yield { ...used, text: open.join('') };
    if (joins) open.push(piece);
    else open = [piece];
    used = joins ? grown : size;
  }
  if (open.length > 0) yield { ...used, text: open.join('') };
}

const EMPTY: TextSize = { words: 0, characters: 0 };

/** Each keeps white space with the piece before it, so that the pieces joined are the text. */
const CUTS: readonly RegExp[] = [
  /(?=\S)(?<=[.!?…]["')\]]?\s+)|(?<=[。！？])/u,
  /(?<=\n)/,
  /(?=\S)(?<=\s)/,
];

function cutAtLevel(whole: SizedText, limit: TextSize, level: number): readonly string[] {
  const { text } = whole;
  if (fits(whole, limit)) return [text];
  const cut = CUTS[level];
  if (cut === undefined) return slices(text, limit.characters);
  return Array.from(pack(text.split(cut), limit)).flatMap((piece) =>
    cutAtLevel(piece, limit, level + 1),
  );
}

/** Slices of at most `length` UTF-16 units that halve no surrogate pair. */
function slices(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const piece = headOf(text.slice(start, start + length + 1), length) || text.charAt(start);
    pieces.push(piece);
    start += piece.length;
  }
  return pieces;
}

function add(a: TextSize, b: TextSize): TextSize {
  return { words: a.words + b.words, characters: a.characters + b.characters };
}

function fits(size: TextSize, limit: TextSize): boolean {
  return size.words <= limit.words && size.characters <= limit.characters;
}
