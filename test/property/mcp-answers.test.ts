import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerTokens, fairShare } from '../../src/adapters/mcp/answers/budget.js';
import { resultsAnswer } from '../../src/adapters/mcp/answers/results-answer.js';
import { visibleText } from '../../src/domain/lessons/lesson-text.js';
import type { SearchResult } from '../../src/domain/ranking/search.js';
import { fencedBlocks } from '../support/fenced-blocks.js';
import { hostileText } from '../support/hostile-text.js';
import { runs } from '../support/seed.js';

const text = fc.oneof(
  hostileText,
  fc.lorem({ maxCount: 900 }),
  fc.integer({ min: 1, max: 9000 }).map((length) => '字'.repeat(length)),
  fc.integer({ min: 1, max: 4000 }).map((length) => 'a '.repeat(length)),
);

const chunk = fc
  .tuple(
    fc.record({ id: hostileText, sourceFile: hostileText, chunkIndex: fc.nat(), content: text }),
    fc.record({ heading: hostileText }, { requiredKeys: [] }),
  )
  .map(([own, heading]) => ({
    ...own,
    ...heading,
    sourceType: 'file' as const,
    projectPath: '/p',
    importance: 0.5,
    createdAt: '',
    updatedAt: '',
  }));
const score = fc.double({ noNaN: true, min: -100, max: 100 });
const result: fc.Arbitrary<SearchResult> = fc.record({ chunk, score });

const answers = fc.record({
  results: fc.array(result, { minLength: 1, maxLength: 12 }),
  terms: fc.array(fc.lorem({ maxCount: 1 }), { maxLength: 4 }),
  maxTokens: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 20_000 })),
  otherwise: fc.constant('Nothing.'),
});

describe('the answer of a tool with any results', () => {
  it('has one closed block per chunk, and no text of a chunk outside it', () => {
    fc.assert(
      fc.property(answers, (parts) => {
        const text = resultsAnswer(parts);
        const omitted = Number(/; (\d+) more need a larger/.exec(text)?.[1] ?? 0);
        const { outside, blocks, isClosed } = fencedBlocks(text);
        expect(isClosed).toBe(true);
        expect(blocks.length + omitted).toBe(parts.results.length);
        expect(outside.filter((line) => line !== '')).toEqual([
          expect.stringMatching(/^\d+ results?, best first/),
        ]);
      }),
      runs(500),
    );
  });

  it('costs at most a quarter more than its budget, and 100 tokens', () => {
    fc.assert(
      fc.property(answers, (parts) => {
        const answer = resultsAnswer(parts);
        const limit = 1.25 * parts.maxTokens + 100;
        expect(answerTokens(answer)).toBeLessThanOrEqual(limit);
      }),
      runs(500),
    );
  });

  it('shows a chunk whole, or says that it is a preview', () => {
    fc.assert(
      fc.property(answers, (parts) => {
        const { blocks } = fencedBlocks(resultsAnswer(parts));
        for (const [index, lines] of blocks.entries()) {
          const block = lines.join('\n');
          const whole = visibleText(parts.results[index]?.chunk.content ?? '');
          const isWhole = block.endsWith(whole.replace(/\n$/, ''));
          expect(isWhole || block.includes('\npreview: of ')).toBe(true);
        }
      }),
      runs(500),
    );
  });

  it('leaves nothing out that there is room for', () => {
    fc.assert(
      fc.property(fc.array(result, { minLength: 1, maxLength: 12 }), (results) => {
        const all = { results, maxTokens: 1_000_000, otherwise: '' };
        const text = resultsAnswer(all);
        expect(fencedBlocks(text).blocks).toHaveLength(results.length);
        expect(text).not.toMatch(/more need a larger max_tokens|^preview: of \d+ characters$/m);
      }),
      runs(200),
    );
  });
});

describe('the fair share of a budget', () => {
  it('is never exceeded, and is the largest whole number that is not', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(costs, fc.integer({ min: 0, max: 5000 }), (all, available) => {
        const share = fairShare(all, available);
        const used = (limit: number) => all.reduce((sum, cost) => sum + Math.min(cost, limit), 0);
        expect(used(share)).toBeLessThanOrEqual(available);
        if (Number.isFinite(share)) expect(used(share + 1)).toBeGreaterThan(available);
      }),
      runs(1000),
    );
  });
});
