import { areaUnderCurve, type Origin, type RelevanceReport } from './relevance-run.js';
import { aligned, decimals } from './text-report.js';

/** Above this a question counts as answered: below, the service says that nothing seems relevant. */
const ANSWERED = 0.5;

export function relevanceTable(reports: readonly RelevanceReport[]): string {
  const pooled = (origin: Origin) => reports.flatMap(({ best }) => best[origin]);
  const all = { own: pooled('own'), unrelated: pooled('unrelated'), nonsense: pooled('nonsense') };
  const rows = reports.map(({ set, best, ndcg10 }) => [
    set,
    ...cellsOf(best),
    decimals(ndcg10.withFloor),
    decimals(ndcg10.withoutFloor),
  ]);
  return `Relevance: which questions are answered\n${aligned([HEAD, ...rows, ['all', ...cellsOf(all)]])}`;
}

const HEAD = ['set', 'AUC', 'own', 'unrelated', 'nonsense', 'nDCG@10', 'without floor'];

function cellsOf({ own, unrelated, nonsense }: RelevanceReport['best']): readonly string[] {
  return [
    decimals(areaUnderCurve(own, unrelated)),
    ...[own, unrelated, nonsense].map(shareAnswered),
  ];
}

function shareAnswered(best: readonly number[]): string {
  if (best.length === 0) return '';
  return decimals(best.filter((relevance) => relevance >= ANSWERED).length / best.length);
}
