import { describe, expect, it } from 'vitest';
import { answerTokens } from '../../../src/adapters/mcp/answers/budget.js';
import { doubtfulAnswer, resultsAnswer } from '../../../src/adapters/mcp/answers/results-answer.js';
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

  it.each([
    [1, '1 less relevant result left out'],
    [2, '2 less relevant results left out'],
  ])('counts %i that were left out', (leftOut, words) => {
    const results = [{ chunk: chunk('docs/a.md', 0), score: 1 }];
    const options = { results, leftOut, query: 'words', maxTokens: 1500, otherwise: '' };
    expect(resultsAnswer(options)).toContain(`; ${words}. `);
  });

  it('says no scores, and stays within its budget', () => {
    const text = answer([0.9, 0.8, 0.5, 0.4, 0.3], 'long text '.repeat(400));
    expect(text).not.toMatch(/score/);
    expect(answerTokens(text)).toBeLessThanOrEqual(1500);
  });

  it('shows below the gap the place, the nearest heading and the passage with the rarest words', () => {
    const content = `Much is said here.\n\n### Limits\n${'Flags are set. '.repeat(20)}\n\n### Timeouts\nThe flags end after a timeout of 9 s.`;
    const results = [0.9, 0.5, 0.45].map((relevance, i) => ({
      chunk: chunk('docs/a.md', i, {
        heading: 'Guide',
        content: i === 0 ? 'Flags are set.' : content,
      }),
      score: 1,
      relevance,
      line: 10 * i + 1,
    }));
    const text = resultsAnswer({ results, query: 'flags timeout', maxTokens: 1500, otherwise: '' });
    expect(text).toContain(
      'docs/a.md#1 (0.50): … The flags end after a timeout of 9 s. — line 11 › Timeouts',
    );
    const doubtful = doubtfulAnswer({ results, query: 'flags timeout', notes: [] });
    expect(doubtful).toMatch(/^docs\/a\.md#2 \(0\.45\): … The flags.* — line 21 › Timeouts$/m);
    expect(doubtful).toContain('docs/a.md#0 (0.90): Flags are set. — line 1 › Guide');
  });

  it('names the heading above what a preview shows', () => {
    const content = `${'Nothing of interest. '.repeat(300)}\n\n### Timeouts\nA lease ends after 9 s. ${'So it is. '.repeat(300)}`;
    const results = [{ chunk: chunk('docs/a.md', 0, { heading: 'Guide', content }), score: 1 }];
    const text = resultsAnswer({ results, query: 'lease', maxTokens: 500, otherwise: '' });
    expect(text).toContain('A lease ends after 9 s.');
    expect(text).toContain('heading: Timeouts');
  });

  it('says of each result that its file differs in the worktree of the client', () => {
    const results = [0.9, 0.5].map((relevance, i) => ({
      chunk: chunk(`docs/${i}.md`, 0, { content: 'Flags.' }),
      score: 1,
      relevance,
    }));
    const worktreeText = (file: string) => `${file} differs.`;
    const options = { results, query: 'flags', worktreeText };
    const answers = [
      resultsAnswer({ ...options, maxTokens: 1500, otherwise: '' }),
      doubtfulAnswer({ ...options, notes: [] }),
    ];
    for (const text of answers) {
      expect(text).toContain('docs/0.md differs.');
      expect(text).toContain('docs/1.md differs.');
    }
    const { worktreeText: _, ...outside } = options;
    expect(resultsAnswer({ ...outside, maxTokens: 1500, otherwise: '' })).not.toContain('differs');
  });
});
