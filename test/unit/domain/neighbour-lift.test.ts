import { describe, expect, it } from 'vitest';
import { LIFTED_CANDIDATES, liftByNeighbours } from '../../../src/domain/ranking/neighbour-lift.js';
import type { ScoredChunk } from '../../../src/domain/ranking/scored-chunk.js';
import { nameOf, scored } from '../../support/chunks-ranked.js';

const [EAST, NORTH, NORTH_EAST] = [
  [1, 0],
  [0, 1],
  [1, 1],
];

describe('lifting by neighbours', () => {
  it('raises a candidate that lies next to a better one above one that lies apart', () => {
    const ranked = [
      scored('best', { score: 3, bm25: 9, cosine: 0.5 }),
      scored('apart', { score: 2, bm25: 8, cosine: 0.3 }),
      scored('alike', { score: 1.9, bm25: 7, cosine: 0.4 }),
    ];
    const lifted = lift(ranked, [EAST, NORTH, EAST]);
    expect(lifted.map(nameOf)).toEqual(['best', 'alike', 'apart']);
    expect(lifted.map(({ score }) => score)).toEqual([3, 1.9 + 0.7 * 1.1, 2]);
  });

  it('weighs the neighbours by their cosines', () => {
    const ranked = [
      scored('a', { score: 4, cosine: 0.5 }),
      scored('b', { score: 2, cosine: 0.4 }),
      scored('c', { score: 1, cosine: 0.3 }),
    ];
    const [, , last] = lift(ranked, [NORTH_EAST, EAST, EAST]);
    const weight = Math.SQRT1_2;
    expect(last?.score).toBeCloseTo(1 + (0.7 * (3 * weight + 1)) / (weight + 1), 5);
  });

  it('gives a candidate the score of one that is worse in both lists but has better neighbours', () => {
    const ranked = [
      scored('best', { score: 3, bm25: 9, cosine: 0.2 }),
      scored('better', { score: 2, bm25: 8, cosine: 0.5 }),
      scored('worse', { score: 1.9, bm25: 7, cosine: 0.4 }),
    ];
    const lifted = lift(ranked, [EAST, NORTH, EAST]);
    expect(lifted.map(nameOf)).toEqual(['best', 'better', 'worse']);
    expect(lifted[1]?.score).toBe(lifted[2]?.score);
  });

  it('raises what has no vector like the others, relative to the best score', () => {
    const ranked = [
      scored('best', { score: 3, cosine: 0.5 }),
      scored('fresh', { score: 2, bm25: 8 }),
      scored('alike', { score: 1, cosine: 0.4 }),
    ];
    const scores = lift(ranked, [EAST, undefined, EAST]).map(({ score }) => score);
    expect(scores.map((score) => score.toFixed(3))).toEqual(['3.000', '2.700', '2.400']);
  });

  it('leaves alone what comes after the first', () => {
    const ranked = Array.from({ length: LIFTED_CANDIDATES + 1 }, (_, i) =>
      scored(`c${i}`, { score: 100 - i, cosine: 0.9 - i / 100 }),
    );
    const lifted = lift(
      ranked,
      ranked.map(() => EAST),
    );
    const scores = new Map(lifted.map((one) => [nameOf(one), one.score]));
    expect(scores.get(`c${LIFTED_CANDIDATES}`)).toBe(50);
    expect(scores.get('c2')).toBeGreaterThan(98);
  });
});

function lift(ranked: readonly ScoredChunk[], vectors: readonly (readonly number[] | undefined)[]) {
  const entries = ranked.map(
    ({ chunk }, i) => [chunk.id, Float32Array.from(vectors[i] ?? [])] as const,
  );
  return liftByNeighbours(ranked, new Map(entries));
}
