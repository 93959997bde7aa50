import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from './part.js';

/**
 * Draws columns of ratios from the results of `npm run bench`, one bar per row, with a line at 1; plain, and
 * readable on a light and on a dark page:
 *
 *   npx tsx bench/speed/plots.ts [folder with results = bench/results/speed] [target = docs/plots]
 */
const [results = 'bench/results/speed', target = 'docs/plots'] = process.argv.slice(2);

interface Plot {
  readonly part: string;
  /** The head of the column whose numbers are drawn. */
  readonly column: RegExp;
  readonly title: string;
}

const PLOTS: readonly Plot[] = [
  { part: 'search', column: /^search to bare$/, title: 'Search to the bare FTS5 statement' },
  { part: 'search', column: /^naive to search$/, title: 'Naive join to search' },
  { part: 'peers', column: / to search$/, title: 'Other engines to search' },
  { part: 'hybrid', column: /^to keywords alone$/, title: 'Searches to keywords alone' },
];

const [LEFT, WIDTH, ROW] = [210, 480, 22];
/** From this ratio on, a scale is logarithmic. */
const WIDE = 15;

for (const [number, plot] of PLOTS.entries()) draw(number, plot);

function draw(number: number, { part, column, title }: Plot): void {
  const tables = tablesOf(part);
  const bars = tables.flatMap((table) => barsOf(table, column, tables.length > 1));
  if (bars.length === 0) return;
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, `${number + 1}-${part}.svg`), svg(title, bars));
}

interface Results {
  /** The parts of a comparison that were run; empty: all. */
  readonly only: readonly string[];
  readonly tables: readonly Table[];
}

function tablesOf(part: string): readonly Table[] {
  try {
    const text = readFileSync(join(results, `${part}.json`), 'utf8');
    const { only, tables } = JSON.parse(text) as Results;
    if (only.length === 0) return tables;
    console.warn(`${part}.json holds only ${only.join(', ')}; its plots are left as they are.`);
    return [];
  } catch {
    return [];
  }
}

interface Bar {
  readonly label: string;
  readonly value: number;
}

function barsOf({ head, rows }: Table, column: RegExp, isNamed: boolean): readonly Bar[] {
  const at = head.findIndex((name) => column.test(name));
  if (at === -1) return [];
  const of = isNamed ? `${head[at]?.split(' ')[0]}, ` : '';
  return rows
    .map((row) => ({ label: `${of}${row[0]}`, value: Number.parseFloat(row[at] ?? '') }))
    .filter(({ value }) => Number.isFinite(value));
}

/** Where a value is, from 0 to 1; on a logarithmic scale if some are many times as large as others. */
function scaleOf(values: readonly number[]): (value: number) => number {
  const most = Math.max(1.2, ...values);
  if (most < WIDE) return (value) => value / most;
  const least = Math.min(1, ...values) / 2;
  return (value) => Math.log(value / least) / Math.log(most / least);
}

function svg(title: string, bars: readonly Bar[]): string {
  const share = scaleOf(bars.map(({ value }) => value));
  const x = (value: number) => (LEFT + share(value) * (WIDTH - 50)).toFixed(1);
  const height = bars.length * ROW + 40;
  const lines = bars.map(({ label, value }, index) => {
    const y = index * ROW + 34;
    const width = (Number(x(value)) - LEFT).toFixed(1);
    return (
      `<text x="${LEFT - 8}" y="${y + 12}" text-anchor="end">${label}</text>` +
      `<rect x="${LEFT}" y="${y}" width="${width}" height="16"/>` +
      `<text x="${Number(x(value)) + 5}" y="${y + 12}">${value}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH} ${height}" role="img">
<title>${title}</title>
<style>
  text { font: 12px sans-serif; fill: #24292f } rect { fill: #3b7dd8 } line { stroke: #d0453b }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } rect { fill: #6ea8fe } }
</style>
<text x="${LEFT}" y="18" font-weight="bold">${title}</text>
${lines.join('\n')}
<line x1="${x(1)}" y1="28" x2="${x(1)}" y2="${height - 4}"/>
</svg>
`;
}
