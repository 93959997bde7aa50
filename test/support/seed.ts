/**
 * How often a property is tried. A failure prints its seed; `FC_SEED` repeats it. `FC_MAX_RUNS` bounds the tries,
 * for the mutation tester (bench/mutation), which runs the tests thousands of times.
 */
export function runs(numRuns: number): { readonly numRuns: number; readonly seed?: number } {
  const { FC_SEED: seed, FC_MAX_RUNS: most = Number.POSITIVE_INFINITY } = process.env;
  const bounded = Math.min(numRuns, Number(most));
  return seed === undefined ? { numRuns: bounded } : { numRuns: bounded, seed: Number(seed) };
}
