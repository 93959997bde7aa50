/**
 * How often a property is tried. A failure prints its seed; `FC_SEED` repeats it.
 */
export function runs(numRuns: number): { readonly numRuns: number; readonly seed?: number } {
  const seed = process.env['FC_SEED'];
  return seed === undefined ? { numRuns } : { numRuns, seed: Number(seed) };
}
