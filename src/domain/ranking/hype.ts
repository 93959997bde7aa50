import type { HypeComparison } from '../settings.js';

/** The cosines of a query to the two vectors of a chunk; absent if the chunk has no such vector. */
interface ChunkCosines {
  readonly content?: number | undefined;
  readonly questions?: number | undefined;
}

/**
 * A query is usually closer to any question than to a text, even if the question asks something else.
 * Without this handicap, chunks that have questions would outrank those that still wait for theirs
 * (`docs/decisions/0009-hype.md`).
 */
const QUESTION_HANDICAP = 0.05;

/** The cosine that a chunk is ranked by (docs/specification.md, "HyPE"); undefined if it has no vector to compare. */
export function comparedCosine(
  { content, questions }: ChunkCosines,
  comparison: HypeComparison,
): number | undefined {
  if (questions === undefined || comparison === 'off') return content;
  if (comparison === 'instead') return questions;
  return Math.max(content ?? Number.NEGATIVE_INFINITY, questions - QUESTION_HANDICAP);
}
