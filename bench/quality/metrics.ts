/** The quality of a ranking. Every value is between 0 and 1; higher is better. */
export interface Metrics {
  readonly ndcg10: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly recall50: number;
  readonly mrr10: number;
  /**
   * The `ndcg10` that the best order of the first 50 results would have. It is below 1 if relevant documents were not
   * found.
   */
  readonly ceiling10: number;
}

type MetricName = keyof Metrics;

export const METRIC_NAMES: readonly MetricName[] = [
  'ndcg10',
  'recall5',
  'recall10',
  'recall50',
  'mrr10',
  'ceiling10',
];

export const METRIC_LABELS: Readonly<Record<MetricName, string>> = {
  ndcg10: 'nDCG@10',
  recall5: 'R@5',
  recall10: 'R@10',
  recall50: 'R@50',
  mrr10: 'MRR@10',
  ceiling10: 'ceiling',
};

/**
 * Evaluates a ranking of distinct documents, best first, with binary judgments: a document is relevant or not.
 * @throws RangeError if no document is relevant, because the metrics are then undefined
 */
export function judge(ranked: readonly string[], relevant: ReadonlySet<string>): Metrics {
  if (relevant.size === 0)
    throw new RangeError('A query without relevant documents has no metrics.');
  return {
    ndcg10: ndcg(ranked, relevant, 10),
    recall5: recall(ranked, relevant, 5),
    recall10: recall(ranked, relevant, 10),
    recall50: recall(ranked, relevant, 50),
    mrr10: reciprocalRank(ranked, relevant, 10),
    ceiling10: ndcg(relevantFirst(ranked.slice(0, 50), relevant), relevant, 10),
  };
}

/**
 * Normalized discounted cumulative gain: the sum of 1 / log2(rank + 1) over the relevant documents
 * among the first `depth`, divided by the same sum for a ranking that starts with all relevant documents
 * (Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002).
 */
function ndcg(ranked: readonly string[], relevant: ReadonlySet<string>, depth: number): number {
  const gains = ranked
    .slice(0, depth)
    .map((id, index) => (relevant.has(id) ? discount(index + 1) : 0));
  const ideal = Array.from({ length: Math.min(depth, relevant.size) }, (_, i) => discount(i + 1));
  return sum(gains) / sum(ideal);
}

/** Recall: the share of the relevant documents that are among the first `depth`. */
function recall(ranked: readonly string[], relevant: ReadonlySet<string>, depth: number): number {
  return ranked.slice(0, depth).filter((id) => relevant.has(id)).length / relevant.size;
}

/** Reciprocal rank of the first relevant document; 0 if there is none among the first `depth`. */
function reciprocalRank(
  ranked: readonly string[],
  relevant: ReadonlySet<string>,
  depth: number,
): number {
  const index = ranked.slice(0, depth).findIndex((id) => relevant.has(id));
  return index === -1 ? 0 : 1 / (index + 1);
}

function relevantFirst(
  ranked: readonly string[],
  relevant: ReadonlySet<string>,
): readonly string[] {
  return ranked.toSorted((a, b) => Number(relevant.has(b)) - Number(relevant.has(a)));
}

/** The gain of a relevant document at a rank, starting at 1. */
function discount(rank: number): number {
  return 1 / Math.log2(rank + 1);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
