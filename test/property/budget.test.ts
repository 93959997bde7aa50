import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withinBudget } from '../../src/domain/ranking/budget.js';
import { runs } from '../support/seed.js';

const ranked = fc
  .array(fc.nat({ max: 40 }), { maxLength: 20 })
  .map((lengths) => lengths.map((length) => ({ chunk: { content: 'x'.repeat(length) } })));
const budget = fc.record({
  maxResults: fc.integer({ min: 1, max: 12 }),
  maxTokens: fc.integer({ min: 1, max: 60 }),
});

it('keeps the longest prefix that fits, and says what ended it', () => {
  fc.assert(
    fc.property(ranked, budget, (list, limits) => {
      const { maxResults, maxTokens } = limits;
      const cost = (items: typeof list) =>
        items.reduce((sum, { chunk }) => sum + Math.ceil(chunk.content.length / 4), 0);
      const lengths = Array.from({ length: list.length + 1 }, (_, length) => length);
      const fits = (length: number) =>
        length <= maxResults && cost(list.slice(0, length)) <= maxTokens;
      const longest = Math.max(...lengths.filter(fits));

      const { kept, usedTokens, reason } = withinBudget(list, limits);

      expect(kept).toEqual(list.slice(0, longest));
      expect(usedTokens).toBe(cost(list.slice(0, longest)));
      const ended = longest === maxResults ? 'maxResults reached' : 'maxTokens reached';
      expect(reason).toBe(longest === list.length ? 'nothing cut' : ended);
    }),
    runs(500),
  );
});
