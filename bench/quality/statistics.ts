/** A mean with its 95 % bootstrap confidence interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export const RESAMPLES = 1000;
const SEED = 20_261_121;

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
 * The mean of a value per query, with its percentile bootstrap interval (Efron, "Bootstrap Methods:
 * Another Look at the Jackknife", 1979): queries are drawn with replacement. Seeded, so that the same
 * values give the same interval. For a paired comparison the values are the differences per query.
 */
export function estimate(values: readonly number[]): Estimate {
  return estimateMacro([values]);
}

/** The mean of the means of several sets; each set is resampled separately. */
export function estimateMacro(sets: readonly (readonly number[])[]): Estimate {
  const random = generator(SEED);
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(sets.map((values) => resampledMean(values, random))),
  ).toSorted((a, b) => a - b);
  return {
    mean: mean(sets.map(mean)),
    low: means[Math.floor(0.025 * RESAMPLES)] as number,
    high: means[Math.ceil(0.975 * RESAMPLES) - 1] as number,
  };
}

/** A line through points by least squares. */
export interface FittedLine {
  readonly slope: number;
  /** Standard error of the slope; NaN for two points, which fit any line. */
  readonly slopeError: number;
  readonly at: (x: number) => number;
}

/** @param points at least two, with different `x` */
export function fittedLine(points: readonly (readonly [x: number, y: number])[]): FittedLine {
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const sum = (of: (x: number, y: number) => number) =>
    points.reduce((total, [x, y]) => total + of(x, y), 0);
  const spread = sum((x) => (x - meanX) ** 2);
  const slope = sum((x, y) => (x - meanX) * (y - meanY)) / spread;
  const at = (x: number) => meanY + slope * (x - meanX);
  const rest = sum((x, y) => (y - at(x)) ** 2);
  return { slope, slopeError: Math.sqrt(rest / (points.length - 2) / spread), at };
}

/** Paired differences `values[i] - base[i]`; both lists are in the order of the same queries. */
export function differences(values: readonly number[], base: readonly number[]): readonly number[] {
  if (values.length !== base.length)
    throw new RangeError('Paired lists must have the same length.');
  return values.map((value, index) => value - (base[index] as number));
}

/** Uniform numbers from 0 to 1, the same for the same seed (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function resampledMean(values: readonly number[], random: () => number): number {
  let total = 0;
  for (let i = 0; i < values.length; i += 1) {
    total += values[Math.floor(random() * values.length)] as number;
  }
  return total / values.length;
}
