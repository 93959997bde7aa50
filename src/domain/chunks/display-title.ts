import { takeHead } from '../text.js';
import { headingText, isBlank, parseLines } from './markdown.js';

/**
 * The title of a chunk for people and agents: the heading, of any level, at the beginning of its text, else its
 * `heading`, which may be that of the whole file (docs/specification.md, "Chunking").
 */
export function displayTitle({ heading, content }: TitledChunk): string | undefined {
  return leadingHeading(content) ?? heading;
}

/** The last of the headings at the beginning of a text; undefined if there are none. */
export function leadingHeading(content: string): string | undefined {
  let nearest = '';
  for (const line of parseLines(takeHead(content, BEGINNING_CHARACTERS))) {
    if (line.headingLevel > 0) nearest = headingText(line) || nearest;
    else if (!isBlank(line) && line.isHeadingRest !== true) break;
  }
  return nearest === '' ? undefined : nearest;
}

/** The last heading in a text; undefined if there is none. */
export function lastHeading(content: string): string | undefined {
  const headings = parseLines(content).flatMap((line) =>
    line.headingLevel > 0 && headingText(line) !== '' ? [headingText(line)] : [],
  );
  return headings.at(-1);
}

export interface TitledChunk {
  readonly heading?: string | undefined;
  readonly content: string;
}

/** Headings further down are not at the beginning of the text. */
const BEGINNING_CHARACTERS = 2_000;
