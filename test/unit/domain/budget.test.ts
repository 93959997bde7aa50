import { describe, expect, it } from 'vitest';
import { withinBudget } from '../../../src/domain/ranking/budget.js';

const ofTokens = (...tokens: readonly number[]) =>
  tokens.map((count) => ({ chunk: { content: 'x'.repeat(4 * count) } }));

describe('withinBudget', () => {
  it('stops at the first chunk that does not fit, even if a later one would', () => {
    const ranked = ofTokens(3, 5, 1);
    expect(withinBudget(ranked, { maxResults: 10, maxTokens: 7 })).toEqual({
      kept: ranked.slice(0, 1),
      usedTokens: 3,
      reason: 'maxTokens reached',
    });
  });

  it('fills the budget to the last token', () => {
    const answer = withinBudget(ofTokens(3, 4), { maxResults: 10, maxTokens: 7 });
    expect(answer).toMatchObject({ usedTokens: 7, reason: 'nothing cut' });
  });

  it('returns nothing where the first chunk is bigger than the budget', () => {
    const answer = withinBudget(ofTokens(8), { maxResults: 10, maxTokens: 7 });
    expect(answer).toEqual({ kept: [], usedTokens: 0, reason: 'maxTokens reached' });
  });

  it('keeps at most maxResults', () => {
    const answer = withinBudget(ofTokens(1, 1, 1), { maxResults: 2, maxTokens: 100 });
    expect(answer).toMatchObject({ usedTokens: 2, reason: 'maxResults reached' });
  });

  it('counts started tokens whole', () => {
    const ranked = [{ chunk: { content: '12345' } }];
    expect(withinBudget(ranked, { maxResults: 1, maxTokens: 2 }).usedTokens).toBe(2);
    expect(withinBudget(ranked, { maxResults: 1, maxTokens: 1 }).kept).toEqual([]);
  });
});
