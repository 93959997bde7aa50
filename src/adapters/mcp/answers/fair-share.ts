/**
 * The largest limit for which the costs fit together, each of them cut at the limit; infinite if they fit
 * uncut. What cheap entries leave over is shared by the others.
 */
export function fairShare(costs: readonly number[], available: number): number {
  let left = available;
  const ascending = [...costs].sort((a, b) => a - b);
  for (const [index, cost] of ascending.entries()) {
    const open = ascending.length - index;
    if (cost * open > left) return Math.floor(left / open);
    left -= cost;
  }
  return Number.POSITIVE_INFINITY;
}
