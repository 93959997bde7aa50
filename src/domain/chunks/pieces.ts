import { CHUNK_MAX_CHARACTERS, TOKENS_PER_WORD } from '../limits.js';
import { type Line, paragraphsOf, withoutBlankEnds } from './markdown.js';
import { countWords, headOf } from './text.js';

/** A part of the file that is one chunk if it fits. */
export interface Block {
  readonly heading?: string | undefined;
  readonly lines: readonly Line[];
}

export interface Piece {
  readonly heading?: string;
  readonly content: string;
}

/** Both count heading and content together. */
export interface PieceSizes {
  readonly maxTokens: number;
  /** Most tokens of each piece of a block that exceeds `maxTokens`; default `maxTokens`. */
  readonly pieceTokens?: number | undefined;
}

/** The block as one chunk, or as several with the same heading: parted at paragraphs, then as `cutToFit` does. */
export function fitBlock(
  block: Block,
  { maxTokens, pieceTokens = maxTokens }: PieceSizes,
): readonly Piece[] {
  const words = wordsOf(maxTokens);
  const [heading, overflow] = splitHeading(block.heading, words);
  const limit: TextSize = {
    words: words - countWords(heading),
    characters: CHUNK_MAX_CHARACTERS - heading.length,
  };
  const whole = overflow.length === 0 ? textThatFits(block.lines, limit) : undefined;
  const pieceLimit = { ...limit, words: Math.min(limit.words, contentWords(pieceTokens, heading)) };
  const parts =
    whole === undefined ? packAndCut(textsOf(overflow, block.lines), pieceLimit) : [whole];
  const contents: string[] = [];
  for (const part of parts) {
    const content = withoutBlankEnds(part);
    if (content !== '') contents.push(content);
  }
  const pieces = contents.length === 0 ? [''] : contents;
  return pieces.map((content) => (heading === '' ? { content } : { heading, content }));
}

function wordsOf(tokens: number): number {
  return Math.max(2, Math.floor(tokens / TOKENS_PER_WORD));
}

/** A long heading leaves at least half of a piece to the content. */
function contentWords(tokens: number, heading: string): number {
  const words = wordsOf(tokens);
  return Math.max(Math.floor(words / 2), words - countWords(heading));
}

/** The text of all lines; undefined if it does not fit, which for a very long one is known at once. */
function textThatFits(lines: readonly Line[], limit: TextSize): string | undefined {
  const characters = lines.reduce((sum, { text }) => sum + text.length + 1, 0);
  const text = characters <= limit.characters ? textOf(lines) : undefined;
  return text !== undefined && fitsInto(text, limit) ? text : undefined;
}

function* textsOf(overflow: readonly string[], lines: readonly Line[]): Iterable<string> {
  yield* overflow;
  for (const paragraph of paragraphsOf(lines)) yield textOf(paragraph);
}

/** Every line with its end. */
function textOf(lines: readonly Line[]): string {
  return [...lines.map(({ text }) => text), ''].join('\n');
}

/** A heading has at most half of a chunk; what is over becomes content. */
function splitHeading(heading = '', words: number): readonly [string, readonly string[]] {
  const limit = { words: Math.floor(words / 2), characters: CHUNK_MAX_CHARACTERS / 2 };
  const [kept = '', ...overflow] = cutToFit(heading, limit);
  return [kept.trim(), overflow.map((text) => `${text}\n`)];
}

/** How much text a piece may hold. */
interface TextSize {
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
function* packAndCut(pieces: Iterable<string>, limit: TextSize): Iterable<string> {
  for (const part of pack(pieces, limit)) yield* cutAtLevel(part, limit, 0);
}

function fitsInto(text: string, limit: TextSize): boolean {
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
