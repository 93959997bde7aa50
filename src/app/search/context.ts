import type { Chunk } from '../../domain/chunks/chunk.js';
import { tokenCost } from '../../domain/chunks/text.js';
import { neighbourIds, withNeighbours } from '../../domain/ranking/context.js';
import type { SearchAnswer } from '../../domain/search.js';

/** The answer with neighbours joined to its chunks, as far as its budget allows. */
export async function inContext(
  answer: SearchAnswer,
  chunksOf: (ids: readonly string[]) => Promise<readonly Chunk[]>,
): Promise<SearchAnswer> {
  const { results, explanation } = answer;
  const hits = results.map(({ chunk }) => chunk);
  const neighbours = await chunksOf([...new Set(hits.flatMap(neighbourIds))]);
  const joined = withNeighbours(hits, neighbours, explanation.budget.maxTokens);
  const tokens = joined.map(({ content }) => tokenCost(content));
  const usedTokens = tokens.reduce((sum, cost) => sum + cost, 0);
  return {
    ...answer,
    results: results.map((result, i) => ({ ...result, chunk: joined[i] ?? result.chunk })),
    totalTokens: usedTokens,
    explanation: {
      ...explanation,
      results: explanation.results.map((trace, i) => ({
        ...trace,
        tokens: tokens[i] ?? trace.tokens,
      })),
      budget: { ...explanation.budget, usedTokens },
    },
  };
}
