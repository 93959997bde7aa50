/**
 * The number of tries of a property. A failure prints its seed, and `FC_SEED` repeats it. `FC_RUNS` sets the number of
 * tries for a long run. `FC_MAX_RUNS` limits it for the mutation tester (bench/mutation), which runs the tests
 * thousands of times.
 */
export function runs(numRuns: number): { readonly numRuns: number; readonly seed?: number } {
  const { FC_SEED: seed, FC_RUNS, FC_MAX_RUNS: most = Number.POSITIVE_INFINITY } = process.env;
  const bounded = Math.min(Number(FC_RUNS ?? numRuns), Number(most));
  return seed === undefined ? { numRuns: bounded } : { numRuns: bounded, seed: Number(seed) };
}
