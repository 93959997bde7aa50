import type { ScoredChunk } from './scored-chunk.js';

/**
 * Puts the chunks of some source files first; both groups keep their order. The scores of the first group are raised by
 * the same amount, so that none is below that of another chunk.
 */
export function preferSources(
  ranked: readonly ScoredChunk[],
  sourceFiles: readonly string[],
): readonly ScoredChunk[] {
  const preferred = new Set(sourceFiles);
  const first = ranked.filter(({ chunk }) => preferred.has(chunk.sourceFile));
  const others = ranked.filter(({ chunk }) => !preferred.has(chunk.sourceFile));
  if (first.length === 0 || others.length === 0) return ranked;
  const scoresOf = (list: readonly ScoredChunk[]) => list.map(({ score }) => score);
  const raise = Math.max(0, Math.max(...scoresOf(others)) - Math.min(...scoresOf(first)));
  return [...first.map((scored) => ({ ...scored, score: scored.score + raise })), ...others];
}
