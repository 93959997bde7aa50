import { describe, expect, it } from 'vitest';
import { answerTokens } from '../../../src/adapters/mcp/answers/budget.js';
import { resultsAnswer } from '../../../src/adapters/mcp/answers/results-answer.js';
import { chunk } from '../../support/chunks.js';
import { fencedBlocks } from '../../support/fenced-blocks.js';

describe('the answer of a search over MCP', () => {
  const answer = (relevances: readonly (number | undefined)[], content = 'some words') => {
    const results = relevances.map((relevance, i) => ({
      chunk: chunk('docs/a.md', i, { content: `${content} ${i}` }),
      score: 1,
      ...(relevance !== undefined && { relevance }),
    }));
    return resultsAnswer({ results, query: 'words', maxTokens: 1500, otherwise: '' });
  };

  it.each([
    [[0.9, 0.85, 0.6, 0.55], 2, 2],
    [[0.9, 0.69], 1, 1],
    [[0.9, 0.71, 0.52], 3, 0],
    [[0.9], 1, 0],
    [[undefined, undefined], 2, 0],
  ])('with relevances %j has %i whole chunks and %i lines', (relevances, whole, lines) => {
    const text = answer(relevances);
    const { blocks } = fencedBlocks(text);
    const listed = blocks.flat().filter((line) => /^docs\/a\.md#\d \(/.test(line));
    expect(listed).toHaveLength(lines);
    expect(text.match(/^id: /gm)).toHaveLength(whole);
    expect(text).not.toMatch(/^preview: |more need a larger max_tokens/m);
    expect(text).toMatch(new RegExp(`^${whole + lines} results?, best first`));
  });

  it('says no scores, and stays within its budget', () => {
    const text = answer([0.9, 0.8, 0.5, 0.4, 0.3], 'long text '.repeat(400));
    expect(text).not.toMatch(/score/);
    expect(answerTokens(text)).toBeLessThanOrEqual(1500);
  });
});
