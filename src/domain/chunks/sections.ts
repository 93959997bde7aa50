import { hasLetterOrDigit } from '../text.js';
import { headingText, isBlank, type Line, splitParagraphs } from './markdown.js';
import type { Block } from './pieces.js';

/** What to do with a lone `#` title above the first section. */
export type LoneTitle = 'drop' | 'prepend' | undefined;

/** The parts of a file: its `##` sections, or its paragraphs if it has none. */
export function* splitBlocks(lines: readonly Line[], loneTitle: LoneTitle): Generator<Block> {
  const blocks = lines.some(isSectionHeading)
    ? splitSections(lines, loneTitle)
    : paragraphBlocks(lines);
  for (const block of blocks) {
    const hasText = block.lines.some(({ text }) => hasLetterOrDigit(text));
    if (block.heading !== undefined || hasText) yield block;
  }
}

export function findTitle(lines: readonly Line[]): string | undefined {
  const title = lines.find((line) => line.headingLevel === 1);
  return (title && headingText(title)) || undefined;
}

function isSectionHeading(line: Line): boolean {
  return line.headingLevel === 2;
}

/**
 * The sections, and the text before the first one unless it is only a title. A `#` heading below the first `##` ends
 * the section above it.
 */
function* splitSections(lines: readonly Line[], loneTitle: LoneTitle): Generator<Block> {
  const first = lines.findIndex(isSectionHeading);
  const starts: number[] = [];
  for (const [index, { headingLevel: level }] of lines.entries()) {
    if (level === 2 || (level === 1 && first < index)) starts.push(index);
  }
  const preamble = lines.slice(0, first);
  const isTitle = isTitleAlone(preamble);
  if (!isTitle) yield blockAt(lines, 0, first);
  let above = isTitle && loneTitle === 'prepend' ? preamble : [];
  for (const [index, start] of starts.entries()) {
    const line = lines[start];
    const heading = (line && headingText(line)) || undefined;
    const own = blockAt(lines, headingEnd(lines, start), starts[index + 1]);
    if (heading === undefined && own.lines.every(isBlank)) continue;
    const withTitle = [...above, ...own.lines];
    yield { heading, lines: withTitle, headingAt: start, linesAt: own.linesAt - above.length };
    above = [];
  }
}

function* paragraphBlocks(lines: readonly Line[]): Generator<Block> {
  let at = loneTitleEnd(lines);
  for (const paragraph of splitParagraphs(lines.slice(at))) {
    yield blockAt(lines, at, at + paragraph.length);
    at += paragraph.length;
  }
}

function blockAt(lines: readonly Line[], start: number, end: number | undefined): Block {
  return { lines: lines.slice(start, end), linesAt: start };
}

/** Where a lone title at the beginning ends: it is followed by a blank line or the end of the text. */
function loneTitleEnd(lines: readonly Line[]): number {
  const first = lines.findIndex((line) => !isBlank(line));
  if (lines[first]?.headingLevel !== 1) return 0;
  const end = headingEnd(lines, first);
  const next = lines[end];
  return next === undefined || isBlank(next) ? end : 0;
}

/** Index of the line after a heading. */
function headingEnd(lines: readonly Line[], start: number): number {
  let end = start + 1;
  while (lines[end]?.isHeadingRest === true) end += 1;
  return end;
}

/** Also true if there are no lines. */
function isTitleAlone(lines: readonly Line[]): boolean {
  const [first, ...rest] = lines.filter((line) => !isBlank(line) && line.isHeadingRest !== true);
  return rest.length === 0 && (first === undefined || first.headingLevel === 1);
}
