import { CHUNK_MAX_CHARACTERS, TOKENS_PER_WORD } from '../limits.js';
import { cutToFit, isRoomFor, packAndCut, type Room } from './cutting.js';
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

/** The block as one chunk, or as several with the same heading: parted at paragraphs, then as `cutToFit` does. */
export function fitBlock(block: Block, maxTokens: number): readonly Piece[] {
  const words = Math.max(2, Math.floor(maxTokens / TOKENS_PER_WORD));
  const [heading, overflow] = splitHeading(block.heading, words);
  const room: Room = {
    words: words - countWords(heading),
    characters: CHUNK_MAX_CHARACTERS - heading.length,
  };
  const whole = overflow.length === 0 ? textThatFits(block.lines, room) : undefined;
  const parts = whole === undefined ? packAndCut(textsOf(overflow, block.lines), room) : [whole];
  const contents: string[] = [];
  for (const part of parts) {
    const content = withoutBlankEnds(part);
    if (content !== '') contents.push(content);
  }
  const pieces = contents.length === 0 ? [''] : contents;
  return pieces.map((content) => (heading === '' ? { content } : { heading, content }));
}

/** The text of all lines; undefined if it does not fit, which for a very long one is known at once. */
function textThatFits(lines: readonly Line[], room: Room): string | undefined {
  const characters = lines.reduce((sum, { text }) => sum + text.length + 1, 0);
  const text = characters <= room.characters ? textOf(lines) : undefined;
  return text !== undefined && isRoomFor(text, room) ? text : undefined;
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
  const room = { words: Math.floor(words / 2), characters: CHUNK_MAX_CHARACTERS / 2 };
  const [kept = '', ...overflow] = cutToFit(heading, room);
  return [kept.trim(), overflow.map((text) => `${text}\n`)];
}
