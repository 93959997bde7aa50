import type { ChunkingReport } from './chunking-run.js';
import { aligned, decimals, interval } from './text-report.js';

export function chunkingTable(report: ChunkingReport): string {
  const { maxTokens, chunks, meanCharacters, unplaced, questions, answers } = report;
  const title = [
    `chunking-eval, at most ${maxTokens} tokens: ${chunks} chunks of ${meanCharacters.toFixed(0)}`,
    `characters (${unplaced} not found in their text), ${questions} questions`,
  ].join(' ');
  const head = ['mode', 'budget', 'recall', '95 %', 'precision', '95 %', 'IoU', '95 %', 'missed'];
  const rows = answers.map(({ mode, budget, coverage, missed }) => [
    mode,
    String(budget),
    ...[coverage.recall, coverage.precision, coverage.iou].flatMap((estimate) => [
      decimals(estimate.mean),
      interval(estimate),
    ]),
    String(missed),
  ]);
  return `${title}\n${aligned([head, ...rows])}`;
}
