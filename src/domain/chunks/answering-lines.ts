import { displayTitle, type TitledChunk } from './display-title.js';
import { headingText, isText, type Line, parseLines, splitLines } from './markdown.js';

/** The part of a text to show around a place. */
export interface AnsweringLines {
  /** Start of the line at the place or, if that is a heading, of the next text. */
  readonly start: number;
  /** Whether only headings precede it. */
  readonly isFirst: boolean;
  /** The code block or list that the line is part of. */
  readonly block?: { readonly start: number; readonly end: number };
}

/** The lines around a place in a text; never only a heading if there is other text. */
export function answeringLines(content: string, place: number): AnsweringLines {
  const lines = parseLines(content);
  const starts = lineStarts(content);
  const at = textLine(lines, lineAt(content, place));
  const block = blockAround(lines, at);
  const start = starts[at] ?? 0;
  const isFirst = !lines.slice(0, at).some(isText);
  if (block === undefined) return { start, isFirst };
  return {
    start,
    isFirst,
    block: { start: starts[block.first] ?? 0, end: starts[block.after] ?? content.length },
  };
}

/** The title for the part of a chunk that begins at a place: the nearest heading above, or the chunk's title. */
export function titleAt(chunk: TitledChunk, place: number): string | undefined {
  const lines = parseLines(chunk.content);
  const above = lines.slice(0, lineAt(chunk.content, place) + 1);
  const heading = above.findLast((line) => line.headingLevel > 0 && headingText(line) !== '');
  return heading === undefined ? displayTitle(chunk) : headingText(heading);
}

function lineAt(content: string, place: number): number {
  return [...splitLines(content.slice(0, place))].length - 1;
}

/** The line itself or the next one with text; if there is none, the last one before. */
function textLine(lines: readonly Line[], at: number): number {
  const next = lines.findIndex((line, i) => i >= at && isText(line));
  if (next !== -1) return next;
  const last = lines.findLastIndex(isText);
  return last === -1 ? at : last;
}

interface LineRange {
  readonly first: number;
  /** The line after the last one. */
  readonly after: number;
}

/** The code block or list that a line is in. */
function blockAround(lines: readonly Line[], at: number): LineRange | undefined {
  const fence = lines[at]?.fence;
  if (fence !== undefined) return rangeAround(lines, at, (line) => line.fence === fence);
  const range = rangeAround(lines, at, (line) => isText(line) && line.fence === undefined);
  const first = lines.findIndex((line, i) => i >= range.first && LIST_ITEM.test(line.text));
  return first === -1 || first > at ? undefined : { ...range, first };
}

const LIST_ITEM = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s/;

function rangeAround(
  lines: readonly Line[],
  at: number,
  isPart: (line: Line) => boolean,
): LineRange {
  const before = lines.findLastIndex((line, i) => i < at && !isPart(line));
  const after = lines.findIndex((line, i) => i > at && !isPart(line));
  return { first: before + 1, after: after === -1 ? lines.length : after };
}

function lineStarts(content: string): readonly number[] {
  return [
    0,
    ...[...content.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length),
  ];
}
