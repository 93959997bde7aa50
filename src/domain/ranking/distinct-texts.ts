import type { ScoredChunk } from './scored-chunk.js';

/**
 * Of the chunks with the same heading and content, the most important one; among equals, the one that
 * is ranked best. The order is kept.
 */
export function distinctTexts(ranked: readonly ScoredChunk[]): readonly ScoredChunk[] {
  const kept = new Map<string, ScoredChunk>();
  for (const scored of ranked) {
    const text = textOf(scored);
    const known = kept.get(text);
    if (known === undefined || known.chunk.importance < scored.chunk.importance) {
      kept.set(text, scored);
    }
  }
  return ranked.filter((scored) => kept.get(textOf(scored)) === scored);
}

function textOf({ chunk }: ScoredChunk): string {
  return JSON.stringify([chunk.heading ?? null, chunk.content]);
}
