import { METRIC_LABELS, METRIC_NAMES, type MetricName } from './metrics.js';
import type { Estimate } from './statistics.js';
import type { MacroReport, ModeReport, SetReport } from './summary.js';

/** The table of one set, for the terminal. */
export function setTable(set: SetReport): string {
  const title = `${set.name}: ${set.documents} documents, ${set.judged} judged queries`;
  const rows = set.modes.map((mode) => [...qualityCells(mode), ...countCells(mode)]);
  return `${title}\n${aligned([[...QUALITY_HEAD, ...COUNTS_HEAD], ...rows])}`;
}

export function macroTable(macro: readonly MacroReport[]): string {
  const rows = macro.map((report) => [...qualityCells(report), `${report.sets.length} sets`]);
  return `Mean of the sets that have every column and mode\n${aligned([[...QUALITY_HEAD, ''], ...rows])}`;
}

const OTHERS: readonly MetricName[] = METRIC_NAMES.filter((name) => name !== 'ndcg10');

/** Over the cells of {@link qualityCells}. */
export const QUALITY_HEAD: readonly string[] = [
  'column',
  'mode',
  METRIC_LABELS.ndcg10,
  '95 %',
  'to bm25',
  '95 %',
  ...OTHERS.map((name) => METRIC_LABELS[name]),
];

/** Over the cells of {@link countCells}. */
export const COUNTS_HEAD: readonly string[] = ['empty', 'known', 'errors', 'no vec', 'ms'];

export function qualityCells({
  column,
  mode,
  metrics,
  againstBase,
}: ModeReport | MacroReport): readonly string[] {
  return [
    column,
    mode,
    decimals(metrics.ndcg10.mean),
    interval(metrics.ndcg10),
    againstBase === undefined ? '' : signed(againstBase.ndcg10.mean),
    againstBase === undefined ? '' : interval(againstBase.ndcg10),
    ...OTHERS.map((name) => decimals(metrics[name].mean)),
  ];
}

export function countCells(mode: ModeReport): readonly string[] {
  const { empty, emptyThoughKnown, errors, withoutVectors, medianMilliseconds } = mode;
  const counts = [empty, emptyThoughKnown, errors, withoutVectors].map(String);
  return [...counts, medianMilliseconds.toFixed(1)];
}

export function decimals(value: number): string {
  return value.toFixed(4).replace(/^(-?)0\./, '$1.');
}

export function signed(value: number): string {
  return value < 0 ? decimals(value).replace('-', '−') : `+${decimals(value)}`;
}

export function interval({ low, high }: Estimate): string {
  return `${decimals(low)} … ${decimals(high)}`.replaceAll('-', '−');
}

export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) => row.map((cell, column) => pad(cell, column, widths[column] ?? 0)).join('  '))
    .map((line) => `  ${line}`.trimEnd())
    .join('\n');
}

function pad(cell: string, column: number, width: number): string {
  return column < 2 ? cell.padEnd(width) : cell.padStart(width);
}
