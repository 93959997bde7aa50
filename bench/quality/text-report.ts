import { METRIC_LABELS, METRIC_NAMES } from './metrics.js';
import { MODE_NAMES } from './modes.js';
import { mean } from './statistics.js';
import { completeAmong, type ModeReport, meansOf, type SetReport } from './summary.js';
import type { VersionRow } from './versions.js';

/** The table of one set, for the terminal. */
export function setTable(set: SetReport): string {
  const title = `${set.name}: ${set.documents} documents, ${set.judged} judged queries`;
  const rows = set.modes.map((mode) => [...qualityCells(mode), ...countCells(mode)]);
  const head = [...QUALITY_HEAD, 'empty', 'known', 'errors', 'no vec', 'ms'];
  return `${title}\n${aligned([head, ...rows])}`;
}

export function meansTable(sets: readonly SetReport[]): string {
  const title = `Means of ${completeAmong(sets).length} sets`;
  return `${title}\n${aligned([QUALITY_HEAD, ...meansOf(sets).map(qualityCells)])}`;
}

/**
 * A Markdown table with the nDCG@10 of each version (bench/README.md, "Versions"): the mean over the sets of the last
 * version.
 */
export function versionsTable(versions: readonly VersionRow[]): string {
  const names = Object.keys(versions.at(-1)?.sets ?? {});
  const rows = versions.map(({ date, version, sets }) => {
    const means = MODE_NAMES.map((mode) => mean(names.map((name) => sets[name]?.[mode] ?? NaN)));
    return [date, version, ...means.map((value) => (Number.isNaN(value) ? '' : decimals(value)))];
  });
  const head = ['date', 'version', ...MODE_NAMES.map((mode) => `\`${mode}\``)];
  const table = [head, head.map(() => '---'), ...rows];
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const QUALITY_HEAD: readonly string[] = [
  'mode',
  ...METRIC_NAMES.map((name) => METRIC_LABELS[name]),
];

function qualityCells({ mode, metrics }: Pick<ModeReport, 'mode' | 'metrics'>): readonly string[] {
  return [mode, ...METRIC_NAMES.map((name) => decimals(metrics[name]))];
}

function countCells(mode: ModeReport): readonly string[] {
  const { empty, emptyThoughKnown, errors, withoutVectors, medianMilliseconds } = mode;
  const counts = [empty, emptyThoughKnown, errors, withoutVectors].map(String);
  return [...counts, medianMilliseconds.toFixed(1)];
}

export function decimals(value: number): string {
  return value.toFixed(4).replace(/^(-?)0\./, '$1.');
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
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
