import { headingText, isBlank, linesOf } from './markdown.js';
import { headOf } from './text.js';

/**
 * What a chunk is called where people and agents see it: the heading of any level under which its text begins, else its
 * `heading`, which may be that of a whole file (docs/specification.md, "Chunking").
 */
export function displayTitle({ heading, content }: TitledChunk): string | undefined {
  let nearest = '';
  for (const line of linesOf(headOf(content, BEGINNING_CHARACTERS))) {
    if (line.headingLevel > 0) nearest = headingText(line) || nearest;
    else if (!isBlank(line) && line.isHeadingRest !== true) break;
  }
  return nearest === '' ? heading : nearest;
}

export interface TitledChunk {
  readonly heading?: string | undefined;
  readonly content: string;
}

/** A heading below it does not begin the text. */
const BEGINNING_CHARACTERS = 2_000;
