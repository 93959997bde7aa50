/** How much of a place in the final order is the reranker's; the rest is that of the place it was given. */
export const RERANK_WEIGHT = 0.6;

/**
 * The places (from 0) of candidates in their new order, best first: each candidate has a mixture of what the reranker says
 * of it and of the place that it has. Equal ones keep their order, so scores that are all the same change nothing.
 * @param relevances any numbers, higher is better; undefined counts as the lowest
 */
export function rerankedOrder(
  relevances: readonly (number | undefined)[],
  weight: number,
): readonly number[] {
  const judged = scaled(relevances);
  const last = Math.max(1, judged.length - 1);
  const mixed = judged.map(
    (relevance, place) => weight * relevance + (1 - weight) * (1 - place / last),
  );
  return mixed.map((_, place) => place).sort((a, b) => (mixed[b] ?? 0) - (mixed[a] ?? 0) || a - b);
}

/** From 0 to 1; all 0 where they do not differ. */
function scaled(relevances: readonly (number | undefined)[]): readonly number[] {
  const known = relevances.filter((relevance) => relevance !== undefined);
  const lowest = Math.min(...known);
  const range = Math.max(...known) - lowest;
  return relevances.map((relevance) =>
    relevance === undefined || range <= 0 ? 0 : (relevance - lowest) / range,
  );
}
