import { CHUNK_MAX_CHARACTERS, TOKENS_PER_WORD } from '../limits.js';
import { cutToFit, fitsInto, packAndCut, type TextSize } from './cutting.js';
import { type Line, paragraphsOf, withoutBlankEnds } from './markdown.js';
import { countWords } from './tokens.js';

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
