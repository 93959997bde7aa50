import { RERANKERS, type RerankingReport } from './reranking-run.js';
import { mean } from './statistics.js';
import { aligned, decimals } from './text-report.js';

export function rerankingTable(reports: readonly RerankingReport[]): string {
  const rows = reports.map(({ set, ndcg10 }) => [
    set,
    ...RERANKERS.map((name) => decimals(ndcg10[name])),
  ]);
  const means = RERANKERS.map((name) => decimals(mean(reports.map(({ ndcg10 }) => ndcg10[name]))));
  const title = 'nDCG@10 over REST, blend with union, by scripted reranker';
  return `${title}\n${aligned([['set', ...RERANKERS], ...rows, ['mean', ...means]])}`;
}
