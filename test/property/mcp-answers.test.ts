import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerTokens, fairShare } from '../../src/adapters/mcp/answers/budget.js';
import { resultsAnswer } from '../../src/adapters/mcp/answers/results-answer.js';
import { structuredContentOf } from '../../src/adapters/mcp/answers/structured-content.js';
import { visibleText } from '../../src/domain/lessons/lesson-text.js';
import type { SearchResult } from '../../src/domain/search.js';
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
    ...{ sourceType: 'file' as const, projectPath: '/p', importance: 0.5 },
    ...{ createdAt: '', updatedAt: '' },
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
  it('has one closed block for each, and nothing of a chunk outside of it', () => {
    fc.assert(
      fc.property(answers, (parts) => {
        const { text, data } = resultsAnswer(parts);
        const { results: shown, omitted } = data;
        const { outside, blocks, isClosed } = fencedBlocks(text);
        expect(isClosed).toBe(true);
        expect(blocks).toHaveLength(shown.length);
        expect(shown.length + omitted).toBe(parts.results.length);
        expect(outside.filter((line) => line !== '')).toEqual([
          expect.stringMatching(/^\d+ results?, best first/),
        ]);
      }),
      runs(500),
    );
  });

  it('costs at most a quarter more than its budget, and 100 tokens, and so does its data', () => {
    fc.assert(
      fc.property(answers, (parts) => {
        const answer = resultsAnswer(parts);
        const limit = 1.25 * parts.maxTokens + 100;
        expect(answerTokens(answer.text)).toBeLessThanOrEqual(limit);
        const content = structuredContentOf(answer, parts.maxTokens);
        expect(answerTokens(JSON.stringify(content))).toBeLessThanOrEqual(limit);
      }),
      runs(500),
    );
  });

  it('shows a chunk whole, or says that it is a preview', () => {
    fc.assert(
      fc.property(answers, (parts) => {
        const { text, data } = resultsAnswer(parts);
        const { blocks } = fencedBlocks(text);
        for (const [index, { complete }] of data.results.entries()) {
          const block = blocks[index]?.join('\n') ?? '';
          expect(block.includes('\npreview: of ') || complete).toBe(true);
          const whole = visibleText(parts.results[index]?.chunk.content ?? '');
          if (complete) expect(block.endsWith(whole.replace(/\n$/, ''))).toBe(true);
        }
      }),
      runs(500),
    );
  });

  it('leaves nothing out that there is room for', () => {
    fc.assert(
      fc.property(fc.array(result, { minLength: 1, maxLength: 12 }), (results) => {
        const all = { results, maxTokens: 1_000_000, otherwise: '' };
        const { data } = resultsAnswer(all);
        expect(data.omitted).toBe(0);
        expect(data.results.every(({ complete }) => complete)).toBe(true);
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
