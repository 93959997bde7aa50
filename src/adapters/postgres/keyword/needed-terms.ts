/**
 * How many terms a search has to look up, as MaxScore does (Turtle and Flood, "Query evaluation: strategies and
 * optimizations", 1995): a row without any of them cannot reach the score.
 * @param bounds what each term adds to the score of a row at most, highest first
 * @param score the score of the last row that is wanted; 0 if there are too few rows
 * @returns the number of leading terms, at least 1
 */
export function countNeededTerms(bounds: readonly number[], score: number): number {
  let needed = bounds.length;
  let withoutThem = bounds.at(-1) ?? 0;
  while (needed > 1 && withoutThem < score) {
    needed -= 1;
    withoutThem += bounds[needed - 1] ?? 0;
  }
  return needed;
}
