import type { Chunk } from './chunk.js';

/**
 * The line of a file where a chunk of it begins, counted from 1: that of its heading, else of its text.
 * Undefined if the file no longer says it. Of several places with the same text, the one below the heading is
 * meant, else the first.
 */
export function lineOfChunk(
  fileText: string,
  { heading, content }: Pick<Chunk, 'heading' | 'content'>,
): number | undefined {
  const lines = fileText.split(LINE_END);
  const wanted = content.split(LINE_END).filter((line) => line.trim() !== '');
  const isHeading = (line: string) => heading !== undefined && headingOf(line) === heading.trim();
  if (wanted.length === 0) return numberOf(lines.findIndex(isHeading));
  const places = placesOf(lines, wanted);
  const below = places.map((place) => ({ place, heading: headingAbove(lines, place) }));
  const ownSection = below.find((one) => one.heading !== undefined && isHeading(one.heading.text));
  if (ownSection?.heading?.isAdjacent) return ownSection.heading.index + 1;
  const place = ownSection?.place ?? places[0];
  return place === undefined ? undefined : place + 1;
}

const LINE_END = /\r\n|[\n\r]/;

function numberOf(index: number): number | undefined {
  return index === -1 ? undefined : index + 1;
}

/** Where all wanted lines follow each other, blank lines apart; the first and the last may be parts of lines. */
function placesOf(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const [first = ''] = wanted;
  return lines.flatMap((line, index) =>
    line.includes(first.trim()) && continues(lines, index, wanted) ? [index] : [],
  );
}

function continues(lines: readonly string[], start: number, wanted: readonly string[]): boolean {
  let at = start;
  for (const [i, text] of wanted.entries()) {
    while (at < lines.length && lines[at]?.trim() === '') at += 1;
    const line = lines[at] ?? '';
    const isWhole = i > 0 && i < wanted.length - 1;
    const isThere = isWhole ? line.trim() === text.trim() : line.includes(text.trim());
    if (!isThere) return false;
    at += 1;
  }
  return true;
}

/** The nearest heading above a line, and whether nothing stands between them. */
function headingAbove(lines: readonly string[], place: number) {
  for (let index = place - 1; index >= 0; index -= 1) {
    const text = lines[index] ?? '';
    if (headingOf(text) === undefined) continue;
    const isAdjacent = lines.slice(index + 1, place).every((line) => line.trim() === '');
    return { index, text, isAdjacent };
  }
  return undefined;
}

/** The text of a heading line. */
function headingOf(line: string): string | undefined {
  return /^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/.exec(line)?.[1];
}
