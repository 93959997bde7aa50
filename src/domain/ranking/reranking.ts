/** How much of a place in the final order is the reranker's; the rest is that of the place it was given. */
export const RERANK_WEIGHT = 0.9;

/**
 * The places (from 0) of candidates in their new order, best first: each candidate has a mixture of what the reranker says
 * of it and of the place that it has. Equal ones keep their order, so scores that are all the same change nothing.
 * @param relevances any numbers, higher is better; undefined counts as the lowest
 */
export function rerankedOrder(
  relevances: readonly (number | undefined)[],
  weight: number,
): readonly number[] {
  const judged = scaled(relevances);
  const last = Math.max(1, judged.length - 1);
  const mixed = judged.map(
    (relevance, place) => weight * relevance + (1 - weight) * (1 - place / last),
  );
  return mixed.map((_, place) => place).sort((a, b) => (mixed[b] ?? 0) - (mixed[a] ?? 0) || a - b);
}

/** From 0 to 1; all 0 where they do not differ. */
function scaled(relevances: readonly (number | undefined)[]): readonly number[] {
  const known = relevances.filter((relevance) => relevance !== undefined);
  const lowest = Math.min(...known);
  const range = Math.max(...known) - lowest;
  return relevances.map((relevance) =>
    relevance === undefined || range <= 0 ? 0 : (relevance - lowest) / range,
  );
}

/**
 * Decides whether the order of a reranker is taken. It is for the first query, and for others once several searches have
 * shown that it has something to do with ours. That of a good one has, since most relevant chunks are high in both lists;
 * scores that are noise, or upside down, do not get there (docs/configuration.md, "Other models").
 *
 * A sequential test of the correlation of scores and places: `#evidence` is the logarithm of how much likelier the
 * correlations so far are with a mean of {@link EXPECTED} than with one of 0.
 */
export class RerankerTrust {
  #evidence = 0;
  #isProven = false;
  #firstQuery: string | undefined;

  /** Whether the order for this query is to be taken; the first query keeps its order when it is asked again. */
  takes(query: string): boolean {
    this.#firstQuery ??= query;
    return query === this.#firstQuery || this.#isProven;
  }

  /** @param relevances as for {@link rerankedOrder} */
  see(relevances: readonly (number | undefined)[]): void {
    const correlation = correlationWithPlaces(scaled(relevances));
    if (correlation === undefined) return;
    const z = clamped(correlation * Math.sqrt(relevances.length - 1), Z_MAX);
    this.#evidence = clamped(this.#evidence + EXPECTED * z - EXPECTED ** 2 / 2, EVIDENCE_MAX);
    if (this.#evidence > PROVEN) this.#isProven = true;
    if (this.#evidence < DOUBTED) this.#isProven = false;
  }
}

/** Mean of the standardized correlation; that of an oracle is .85 to 2.3 on the sets of docs/quality.md. */
const EXPECTED = 0.8;
/** Noise gets there in fewer than 7 of 1,000 cases (e^-5). */
const PROVEN = 5;
const DOUBTED = 3;
/** Bounds what one search says, and what all say, so that trust can be lost and regained. */
const Z_MAX = 2.5;
const EVIDENCE_MAX = 7;

/** Of relevances with places, 1 if they fall from first to last; undefined where they do not differ. */
function correlationWithPlaces(relevances: readonly number[]): number | undefined {
  const count = relevances.length;
  const mean = relevances.reduce((sum, value) => sum + value, 0) / count;
  const middle = (count - 1) / 2;
  const sums = { both: 0, places: 0, values: 0 };
  for (const [place, value] of relevances.entries()) {
    sums.both += (middle - place) * (value - mean);
    sums.places += (middle - place) ** 2;
    sums.values += (value - mean) ** 2;
  }
  if (count < 3 || sums.values === 0) return undefined;
  return sums.both / Math.sqrt(sums.places * sums.values);
}

function clamped(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}
