/** A vector that was compared with a query. */
export interface ComparedVector {
  readonly distance: number;
  /** Of its code from that of the query, in any unit. */
  readonly codeDistance: number;
}

/**
 * How many vectors at these distances are expected to have a code further away than `furthestCode`. Where
 * only the vectors with the nearest codes were compared, that is how many neighbours were probably missed.
 *
 * The ratio of both distances is taken to be normally distributed, as it is found in `sample`; there
 * should be some 50 of them, about as far away as `distances`. NaN where the sample says nothing, as of
 * vectors that all equal the query.
 */
export function expectedMisses(
  distances: readonly number[],
  furthestCode: number,
  sample: readonly ComparedVector[],
): number {
  const ratio = sumOf(sample, 'codeDistance') / sumOf(sample, 'distance');
  const deviation = relativeDeviation(sample, ratio);
  return distances.reduce((sum, distance) => {
    const margin = furthestCode / ratio - distance;
    return sum + upperTail(margin / (deviation * distance));
  }, 0);
}

function sumOf(sample: readonly ComparedVector[], key: keyof ComparedVector): number {
  return sample.reduce((sum, vector) => sum + vector[key], 0);
}

/** Of code distances from `ratio` times the distance. Distant vectors count for more, since they are missed first. */
function relativeDeviation(sample: readonly ComparedVector[], ratio: number): number {
  let [errors, squares] = [0, 0];
  for (const { distance, codeDistance } of sample) {
    errors += (codeDistance / ratio - distance) ** 2;
    squares += distance ** 2;
  }
  const unbiased = sample.length / (sample.length - 1);
  return Math.sqrt((errors / squares) * unbiased);
}

/** The probability that a normally distributed value is more than `z` standard deviations above the mean. */
function upperTail(z: number): number {
  return z < 0 ? 1 - upperTail(-z) : complementaryError(z / Math.SQRT2) / 2;
}

/** To 1.5e-7, of a value from 0 on: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26. */
function complementaryError(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial = COEFFICIENTS.reduceRight((sum, coefficient) => (sum + coefficient) * t, 0);
  return polynomial * Math.exp(-x * x);
}

const COEFFICIENTS = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429] as const;
