import type { ScoredChunk } from './scored-chunk.js';

/**
 * Of the chunks with the same heading and content, the most important one; among equals, the one that
 * is ranked best. The order is kept.
 */
export function distinctTexts(ranked: readonly ScoredChunk[]): readonly ScoredChunk[] {
  const byContent = new Map<string, Map<string | undefined, ScoredChunk>>();
  for (const scored of ranked) {
    const { content, heading, importance } = scored.chunk;
    const byHeading = byContent.get(content) ?? new Map<string | undefined, ScoredChunk>();
    byContent.set(content, byHeading);
    const known = byHeading.get(heading);
    if (known === undefined || known.chunk.importance < importance) byHeading.set(heading, scored);
  }
  const kept = new Set([...byContent.values()].flatMap((byHeading) => [...byHeading.values()]));
  return ranked.filter((scored) => kept.has(scored));
}
