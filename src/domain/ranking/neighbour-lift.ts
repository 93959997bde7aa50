import { bestFirst, type ScoredChunk } from './scored-chunk.js';
import { dot, normalized, type Vector } from './vector.js';

/** So many of the best candidates take part. */
export const LIFTED_CANDIDATES = 50;

/**
 * Raises candidates whose nearest neighbours score higher, since texts that are alike tend to answer the
 * same questions (`docs/decisions/0037-neighbour-lift.md`; idea from Diaz, "Regularizing ad hoc retrieval
 * scores", 2005). A candidate gains 0.7 of the mean amount by which its eight nearest neighbours exceed it,
 * weighted by their cosines to it; a neighbour below it counts as 0.
 *
 * Only the first {@link LIFTED_CANDIDATES} take part, and of them those that have a vector; one without is
 * raised by the share of its distance to the best score that the others are raised by. Nothing is lowered, and a candidate that is better in one list and not worse in the other is never ranked lower.
 * @param ranked best first, as `fuseByScore` returns them
 * @param vectors by chunk id, not zero
 */
export function liftByNeighbours(
  ranked: readonly ScoredChunk[],
  vectors: ReadonlyMap<string, Vector>,
): readonly ScoredChunk[] {
  const first = ranked.slice(0, LIFTED_CANDIDATES);
  const members = membersOf(first, vectors);
  const cosines = cosinesBetween(members.map(({ unit }) => unit));
  const raised = members.map(({ scored }, place) => {
    const neighbours = nearest(members, cosines[place] ?? []);
    return { ...scored, score: scored.score + GAIN * meanExcess(neighbours, scored.score) };
  });
  const scores = raised.map((scored) => highestOf(scored, raised));
  const scoreOf = new Map(members.map(({ scored }, place) => [scored.chunk.id, scores[place]]));
  const best = ranked[0]?.score ?? 0;
  const share = shareOfGap(members, scores, best);
  const lifted = first.map((scored) => ({
    ...scored,
    score:
      scoreOf.get(scored.chunk.id) ??
      Math.max(scored.score, (1 - share) * scored.score + share * best),
  }));
  return bestFirst([...lifted, ...ranked.slice(first.length)]);
}

const NEIGHBOURS = 8;
const GAIN = 0.7;

interface Member {
  readonly scored: ScoredChunk;
  /** Of length 1. */
  readonly unit: Vector;
}

function membersOf(
  ranked: readonly ScoredChunk[],
  vectors: ReadonlyMap<string, Vector>,
): readonly Member[] {
  return ranked.flatMap((scored) => {
    const vector = vectors.get(scored.chunk.id);
    const unit = vector && normalized(vector);
    return unit === undefined || scored.cosine === undefined ? [] : [{ scored, unit }];
  });
}

/** The share of the members' distances to the best score by which they were raised, all together. */
function shareOfGap(members: readonly Member[], scores: readonly number[], best: number): number {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const gap = sum(members.map(({ scored }) => best - scored.score));
  const raise = sum(members.map(({ scored }, place) => (scores[place] ?? 0) - scored.score));
  return gap > 0 ? raise / gap : 0;
}

interface Neighbour {
  readonly score: number;
  /** At least 0. */
  readonly cosine: number;
}

/** Of each with each, at least 0; of each with itself 0. */
function cosinesBetween(units: readonly Vector[]): readonly (readonly number[])[] {
  const rows: number[][] = units.map(() => new Array(units.length).fill(0));
  for (const [i, row] of rows.entries()) {
    for (let j = 0; j < i; j += 1)
      row[j] = Math.max(0, dot(units[i] as Vector, units[j] as Vector));
  }
  return rows.map((row, i) => row.map((cosine, j) => (j < i ? cosine : (rows[j]?.[i] ?? 0))));
}

function nearest(members: readonly Member[], cosines: readonly number[]): readonly Neighbour[] {
  return members
    .map(({ scored }, place) => ({ score: scored.score, cosine: cosines[place] ?? 0 }))
    .toSorted((a, b) => b.cosine - a.cosine)
    .slice(0, NEIGHBOURS);
}

/** By how much the scores exceed `score`, as a mean that is weighted by cosines. */
function meanExcess(neighbours: readonly Neighbour[], score: number): number {
  const weights = neighbours.reduce((sum, { cosine }) => sum + cosine, 0);
  const excess = neighbours.reduce(
    (sum, other) => sum + other.cosine * Math.max(0, other.score - score),
    0,
  );
  return weights > 0 ? excess / weights : 0;
}

/** The highest score of those that a candidate is not worse than in either list, its own included. */
function highestOf(own: ScoredChunk, all: readonly ScoredChunk[]): number {
  const scores = all.filter((other) => isNotWorse(own, other)).map(({ score }) => score);
  return Math.max(...scores);
}

function isNotWorse(a: ScoredChunk, b: ScoredChunk): boolean {
  return (a.bm25 ?? 0) >= (b.bm25 ?? 0) && (a.cosine ?? 0) >= (b.cosine ?? 0);
}
