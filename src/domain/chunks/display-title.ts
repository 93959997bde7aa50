import { takeHead } from '../text.js';
import { headingText, isBlank, parseLines } from './markdown.js';

/**
 * The title of a chunk for people and agents: the heading of any level under which its text begins, else its
 * `heading`, which may belong to the whole file (docs/specification.md, "Chunking").
 */
export function displayTitle({ heading, content }: TitledChunk): string | undefined {
  return leadingHeading(content) ?? heading;
}

/** The nearest of the headings with which a text begins; undefined if it begins with none. */
export function leadingHeading(content: string): string | undefined {
  let nearest = '';
  for (const line of parseLines(takeHead(content, BEGINNING_CHARACTERS))) {
    if (line.headingLevel > 0) nearest = headingText(line) || nearest;
    else if (!isBlank(line) && line.isHeadingRest !== true) break;
  }
  return nearest === '' ? undefined : nearest;
}

/** The heading under which a text ends; undefined if it has none. */
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

/** A heading below it does not begin the text. */
const BEGINNING_CHARACTERS = 2_000;
