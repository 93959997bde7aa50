import fc from 'fast-check';
import type { ScoredChunk } from '../../src/domain/ranking/scored-chunk.js';
import { chunk } from './chunks.js';

const cosine = fc.oneof(
  fc.constantFrom(-1, -0.25, 0, 0.25, 0.5, 1),
  fc.float({ min: -1, max: 1, noNaN: true }),
);
const relevance = fc.oneof(
  fc.constantFrom(8, 2, 1, 1e-6),
  fc.float({ min: 0, max: 30, noNaN: true }),
);

/** A chunk with this name, and the values that rank it. */
export function scored(name: string, ranks: Partial<ScoredChunk> = {}): ScoredChunk {
  return { chunk: chunk(name, 0), score: 0, ...ranks };
}

export function nameOf({ chunk: { sourceFile } }: ScoredChunk): string {
  return sourceFile;
}

/** Candidates like the retriever's: the keyword list, best first, then the chunks that only their vectors found. */
export const candidates: fc.Arbitrary<readonly ScoredChunk[]> = fc
  .tuple(
    fc.array(fc.tuple(relevance, fc.option(cosine)), { maxLength: 30 }),
    fc.array(cosine, { maxLength: 10 }),
  )
  .map(([found, nearOnly]) => [
    ...found
      .toSorted(([a], [b]) => b - a)
      .map(([score, near], i) =>
        scored(`k${i}`, {
          score,
          keywordRank: i + 1,
          bm25: score,
          ...(near !== null && { cosine: near }),
        }),
      ),
    ...nearOnly.map((near, i) => scored(`v${i}`, { cosine: near })),
  ]);

/** The rank by cosine, from 1. Ties keep the order of the list. Undefined without a cosine. */
export function naiveVectorRank(list: readonly ScoredChunk[], name: string): number | undefined {
  const place = list.findIndex((candidate) => nameOf(candidate) === name);
  const own = list[place]?.cosine;
  if (own === undefined) return undefined;
  const nearer = list.filter(
    ({ cosine: near }, i) => near !== undefined && (near > own || (near === own && i < place)),
  );
  return nearer.length + 1;
}
