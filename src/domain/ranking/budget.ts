import { tokenCost } from '../text.js';

export interface Budget {
  readonly maxResults: number;
  /** A chunk costs ceil(content length / 4) tokens. */
  readonly maxTokens: number;
}

export interface Budgeted<T> {
  readonly kept: readonly T[];
  readonly usedTokens: number;
  readonly reason: 'nothing cut' | 'maxResults reached' | 'maxTokens reached';
}

/**
 * The longest fitting prefix of a ranked list: it ends before the first chunk that would exceed `maxTokens`, or after
 * `maxResults` chunks (docs/specification.md, "Retrieval", step 4).
 */
export function withinBudget<T extends { readonly chunk: { readonly content: string } }>(
  ranked: readonly T[],
  { maxResults, maxTokens }: Budget,
): Budgeted<T> {
  const kept: T[] = [];
  let usedTokens = 0;
  for (const item of ranked) {
    if (kept.length === maxResults) return { kept, usedTokens, reason: 'maxResults reached' };
    const cost = tokenCost(item.chunk.content);
    if (usedTokens + cost > maxTokens) return { kept, usedTokens, reason: 'maxTokens reached' };
    kept.push(item);
    usedTokens += cost;
  }
  return { kept, usedTokens, reason: 'nothing cut' };
}
