import fc from 'fast-check';
import { expect } from 'vitest';
import type { Expression } from '../../../src/domain/query/expression.js';
import type { ChunkFilter } from '../../../src/ports/keyword-index.js';
import { document } from '../../support/chunks.js';
import { runs } from '../../support/seed.js';
import type { Subject, Suite } from '../harness/contract-suite.js';
import { ingest } from '../harness/steps.js';

/** Tests that the best chunks are those with the highest BM25, among many chunks with common and rare words. */
export function declareRanking({ it, subject }: Suite): void {
  it('returns the chunks with the highest scores, however common the words are', async () => {
    const files = new Map(FILES.map((file) => [file, CORPUS.filter((text) => text.file === file)]));
    for (const [file, texts] of files)
      await ingest(
        subject(),
        document(
          file,
          texts.map(({ words }) => words.join(' ')),
        ),
      );
    await fc.assert(
      fc.asyncProperty(REQUEST, async ({ any, unwanted, file, limit }) => {
        const best = CORPUS.filter((text) => text.file === (file ?? text.file))
          .filter(({ words }) => !words.some((word) => unwanted.includes(word)))
          .map(({ words }) => bm25(words, any))
          .filter((score) => score > 0)
          .toSorted((a, b) => b - a)
          .slice(0, limit);
        const filter = { sourceTypes: 'all', ...(file && { sourceFiles: [file] }) } as const;
        const scores = await search(subject(), expressionOf(any, unwanted), filter, limit);
        expect(scores).toHaveLength(best.length);
        for (const [i, score] of scores.entries()) expect(score).toBeCloseTo(best[i] ?? 0, 6);
      }),
      runs(15),
    );
  });
}

const FILES = ['a', 'b', 'c'];
const VOCABULARY = Array.from({ length: 60 }, (_, i) => `w${i}`);

/** 400 texts of 3 to 22 words. The first words are in most of them, and the last ones in few. */
const CORPUS = Array.from({ length: 400 }, (_, n) => ({
  file: FILES[n % FILES.length] ?? '',
  words: Array.from({ length: 3 + (n % 20) }, (_, i) => {
    const unit = Math.abs(Math.sin(n * 78.233 + i * 12.9898)) ** 3;
    return VOCABULARY[Math.floor(unit * VOCABULARY.length)] ?? '';
  }),
}));

const AVERAGE_LENGTH = CORPUS.reduce((sum, { words }) => sum + words.length, 0) / CORPUS.length;

const REQUEST = fc.record({
  any: fc.uniqueArray(fc.constantFrom(...VOCABULARY), { minLength: 1, maxLength: 12 }),
  unwanted: fc.uniqueArray(fc.constantFrom(...VOCABULARY.slice(5)), { maxLength: 1 }),
  file: fc.option(fc.constantFrom(...FILES), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 30 }),
});

function bm25(words: readonly string[], query: readonly string[]): number {
  const length = 1.2 * (0.25 + (0.75 * words.length) / AVERAGE_LENGTH);
  return query.reduce((sum, asked) => {
    const frequency = words.filter((word) => word === asked).length;
    const holders = CORPUS.filter((text) => text.words.includes(asked)).length;
    const idf = Math.max(Math.log((CORPUS.length - holders + 0.5) / (holders + 0.5)), 1e-6);
    return sum + (idf * frequency * 2.2) / (frequency + length);
  }, 0);
}

function expressionOf(any: readonly string[], unwanted: readonly string[]): Expression {
  const anyOf = (words: readonly string[]): Expression => ({
    kind: 'or',
    operands: words.map((text) => ({ kind: 'terms', terms: [{ text, prefix: false }] })),
  });
  const wanted = anyOf(any);
  return unwanted.length === 0 ? wanted : { kind: 'not', wanted, unwanted: anyOf(unwanted) };
}

async function search(
  { store }: Subject,
  expression: Expression,
  filter: ChunkFilter,
  limit: number,
): Promise<readonly number[]> {
  const hits = await store.keywords.search({ expression, filter, limit });
  return hits.map(({ score }) => score);
}
