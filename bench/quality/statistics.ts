export function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** The middle value, or the mean of the two middle values; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return mean(sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1));
}

/**
 * The value after this share of the sorted values; the largest one for 1; NaN for an empty list.
 * @param share from 0 to 1
 */
export function percentile(values: readonly number[], share: number): number {
  const place = Math.min(Math.floor(values.length * share), values.length - 1);
  return values.toSorted((a, b) => a - b)[place] ?? Number.NaN;
}

/** A generator of uniform random numbers from 0 to 1, which a seed reproduces (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
