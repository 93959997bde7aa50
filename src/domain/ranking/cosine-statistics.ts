/** The distribution of a query's cosines over all vectors of a project. */
export interface CosineStatistics {
  readonly mean: number;
  /** Population standard deviation. */
  readonly deviation: number;
}

/** What a database computes of cosines; the means are null where there are none. */
export interface Moments {
  readonly count: number;
  readonly mean: number | null;
  readonly meanSquare: number | null;
}

/** 0 and 0 where there are no cosines. */
export function statisticsOf({ mean, meanSquare }: Moments): CosineStatistics {
  if (mean === null || meanSquare === null) return { mean: 0, deviation: 0 };
  return { mean, deviation: Math.sqrt(Math.max(0, meanSquare - mean * mean)) };
}
