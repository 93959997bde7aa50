/** Pauses that double from the first to the longest. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pause before the retry that follows `failures` failures in a row; at least one. */
export function backoffMs({ firstMs, longestMs }: Backoff, failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1));
}
