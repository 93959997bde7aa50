import { CHUNK_MAX_CHARACTERS, TOKENS_PER_WORD } from '../limits.js';
import { countWords } from '../text.js';
import {
  cutToFit,
  fits,
  measureText,
  pack,
  type SizedText,
  type TextSize,
  textOfAll,
} from './cutting.js';
import { beginsTable, findFrame, leavesEnough } from './frames.js';
import { joinLines, type Line, splitParagraphs, withoutBlankEnds } from './markdown.js';

/** A part of the file that becomes one chunk if it fits. */
export interface Block {
  readonly heading?: string | undefined;
  /** Without the heading. */
  readonly lines: readonly Line[];
  /** Line index of its heading in the body of the file, if no other block shares it. */
  readonly headingAt?: number;
  /**
   * Line index of the first of `lines` in the body of the file; if a title was prepended, counted back from the lines
   * below it.
   */
  readonly linesAt: number;
}

export interface Piece {
  readonly heading?: string;
  readonly content: string;
  /** Line index where it begins. */
  readonly at: number;
}

/** Both limits count heading and content together. */
export interface PieceSizes {
  readonly maxTokens: number;
  /** Maximum tokens per piece of a block that exceeds `maxTokens`; default `maxTokens`. */
  readonly pieceTokens?: number | undefined;
}

/**
 * The block as one chunk, or as several with the same heading: cut between paragraphs, else within one. Each piece of a
 * code fence is a fence, and each piece of a table begins with the header row, unless these would take half of the
 * piece.
 */
export function fitBlock(
  block: Block,
  { maxTokens, pieceTokens = maxTokens }: PieceSizes,
): readonly Piece[] {
  const words = toWords(maxTokens);
  const [heading, overflow] = splitHeading(block.heading, words);
  const limit: TextSize = {
    words: words - countWords(heading),
    characters: CHUNK_MAX_CHARACTERS - heading.length,
  };
  const whole = measureText(joinLines(block.lines));
  const pieceLimit = { ...limit, words: Math.min(limit.words, contentWords(pieceTokens, heading)) };
  const parts =
    overflow.length === 0 && fits(whole, limit)
      ? [{ text: whole.text, at: block.linesAt }]
      : cutUnits(splitUnits(block, overflow), pieceLimit);
  const pieces: Piece[] = [];
  for (const { text, at } of parts) {
    const content = withoutBlankEnds(text);
    if (content === '') continue;
    const headingAt = pieces.length === 0 ? block.headingAt : undefined;
    const contentAt = at + countLineEnds(text.slice(0, text.indexOf(content)));
    pieces.push({ ...headingField(heading), content, at: headingAt ?? contentAt });
  }
  const { headingAt = block.linesAt } = block;
  return pieces.length === 0 ? [{ ...headingField(heading), content: '', at: headingAt }] : pieces;
}

function headingField(heading: string): { readonly heading?: string } {
  return heading === '' ? {} : { heading };
}

function toWords(tokens: number): number {
  return Math.max(2, Math.floor(tokens / TOKENS_PER_WORD));
}

/** Even a long heading leaves at least half of a piece to the content. */
function contentWords(tokens: number, heading: string): number {
  const words = toWords(tokens);
  return Math.max(Math.floor(words / 2), words - countWords(heading));
}

/** A heading takes at most half of a chunk; the rest becomes content. */
function splitHeading(heading = '', words: number): readonly [string, readonly string[]] {
  const limit = { words: Math.floor(words / 2), characters: CHUNK_MAX_CHARACTERS / 2 };
  const [kept = '', ...overflow] = cutToFit(heading, limit);
  return [kept.trim(), overflow.map((text) => `${text}\n`)];
}

interface PlacedText {
  readonly text: string;
  readonly at: number;
}

/** Text that stays together if it fits. */
interface Unit extends SizedText {
  readonly at: number;
  /** Empty if the text was not made from lines. */
  readonly lines: readonly Line[];
}

/** Joins units while they fit; cuts a unit that does not fit alone. */
function* cutUnits(units: Iterable<Unit>, limit: TextSize): Generator<PlacedText> {
  for (const packed of pack(units, limit)) {
    const [first] = packed;
    if (fits(first, limit)) yield { text: textOfAll(packed), at: first.at };
    else yield* cutUnit(first, limit);
  }
}

function cutUnit(unit: Unit, limit: TextSize): Iterable<PlacedText> {
  const segments = splitSegments(unit);
  if (segments.length > 1) return cutUnits(segments, limit);
  const frame = findFrame(unit.lines);
  if (frame === undefined || !leavesEnough(frame, limit)) {
    return placeParts(cutToFit(unit.text, limit), unit.at);
  }
  const inner = joinLines(unit.lines.slice(frame.first, frame.end));
  const limits = {
    words: limit.words - countWords(frame.before + frame.after),
    characters: limit.characters - frame.before.length - frame.after.length - 1,
  };
  const parts = placeParts(cutToFit(inner, limits, 'lines'), unit.at + frame.first);
  const filled = parts.filter(({ text }) => text.trim() !== '');
  return filled.map(({ text, at }, index) => ({
    text: frame.before + withLineEnd(text) + frame.after,
    at: index === 0 ? unit.at : at,
  }));
}

function placeParts(parts: readonly string[], start: number): readonly PlacedText[] {
  let at = start;
  return parts.map((text) => {
    const place = { text, at };
    at += countLineEnds(text);
    return place;
  });
}

function countLineEnds(text: string): number {
  return text.split('\n').length - 1;
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function* splitUnits(block: Block, overflow: readonly string[]): Generator<Unit> {
  const { headingAt = block.linesAt } = block;
  for (const text of overflow) yield { ...measureText(text), at: headingAt, lines: [] };
  let at = block.linesAt;
  for (const lines of splitParagraphs(block.lines)) {
    yield toUnit(lines, at);
    at += lines.length;
  }
}

function toUnit(lines: readonly Line[], at: number): Unit {
  return { ...measureText(joinLines(lines)), at, lines };
}

/** The fences, tables and texts between them that a paragraph consists of. */
function splitSegments({ lines, at }: Unit): readonly Unit[] {
  const begins = lines.flatMap((line, index) => {
    const isNew =
      index === 0 || line.fence !== lines[index - 1]?.fence || beginsTable(lines, index);
    return isNew ? [index] : [];
  });
  return begins.map((begin, index) => toUnit(lines.slice(begin, begins[index + 1]), at + begin));
}
