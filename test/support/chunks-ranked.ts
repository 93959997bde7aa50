import fc from 'fast-check';
import type { Candidate } from '../../src/domain/ranking/reciprocal-rank-fusion.js';

const cosine = fc.oneof(
  fc.constantFrom(-1, -0.25, 0, 0.25, 0.5, 1),
  fc.float({ min: -1, max: 1, noNaN: true }),
);
const keywordScore = fc.oneof(
  fc.constantFrom(-8, -2, -1, -1e-6),
  fc.float({ min: -30, max: 0, noNaN: true }),
);

/** As the retriever makes them: the keyword list, best first, then what only the vectors found. */
export const candidates: fc.Arbitrary<readonly Candidate[]> = fc
  .tuple(
    fc.array(fc.tuple(keywordScore, fc.option(cosine)), { maxLength: 30 }),
    fc.array(cosine, { maxLength: 10 }),
  )
  .map(([found, nearOnly]) => [
    ...found
      .toSorted(([a], [b]) => a - b)
      .map(([score, near], i) => ({
        id: `k${i}`,
        keywordRank: i + 1,
        keywordScore: score,
        ...(near !== null && { cosine: near }),
      })),
    ...nearOnly.map((near, i) => ({ id: `v${i}`, cosine: near })),
  ]);

/** The rank by cosine, from 1, equal ones in the order of the list; undefined without a cosine. */
export function naiveVectorRank(list: readonly Candidate[], id: string): number | undefined {
  const place = list.findIndex((candidate) => candidate.id === id);
  const own = list[place]?.cosine;
  if (own === undefined) return undefined;
  const nearer = list.filter(
    ({ cosine: near }, i) => near !== undefined && (near > own || (near === own && i < place)),
  );
  return nearer.length + 1;
}
