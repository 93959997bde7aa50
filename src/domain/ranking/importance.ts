import type { ScoredChunk } from './scored-chunk.js';

/**
 * Lets importance count in a merged ranking, highest first: a chunk gains `weight` times the difference
 * between the best and the worst score, times its importance minus 0.5. A weight of 0 changes nothing, not
 * even between equal scores; with 1, the most important chunk ranks at least as high as the least important one.
 */
export function weighByImportance(
  ranked: readonly ScoredChunk[],
  weight: number,
): readonly ScoredChunk[] {
  if (weight === 0) return ranked;
  const scores = ranked.map(({ score }) => score);
  const spread = Math.max(...scores) - Math.min(...scores);
  return ranked
    .map((scored) => {
      const importance = Math.min(1, Math.max(0, scored.chunk.importance));
      return { ...scored, score: scored.score + weight * spread * (importance - 0.5) };
    })
    .toSorted((a, b) => b.score - a.score || b.chunk.importance - a.chunk.importance);
}
