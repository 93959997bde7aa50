import type { Estimate } from '../statistics.js';
import { decimals, interval } from '../text-report.js';
import { escaped } from './html.js';

export interface Bar {
  readonly label: string;
  /** Bars of one group are shown together, below its name. */
  readonly group: string;
  readonly estimate: Estimate;
  /** Determines the color. */
  readonly kind: 'keyword' | 'vectors';
  /** Whether this bar is the baseline of its group; a dashed line marks its end. */
  readonly isBase: boolean;
}

const WIDTH = 640;
const LEFT = 148;
const RIGHT = 560;
const ROW = 26;
const HEAD = 26;
const BAR = 15;

/** Horizontal bars with their intervals, as one SVG; the axis goes from 0 to `max`. */
export function barsFigure(title: string, bars: readonly Bar[], max = 1): string {
  const groups = [...new Set(bars.map(({ group }) => group))];
  const x = (value: number) => LEFT + (value / max) * (RIGHT - LEFT);
  let top = 0;
  const drawn = groups.map((group) => {
    const own = bars.filter((bar) => bar.group === group);
    const block = groupBlock(group, own, { top, x });
    top += HEAD + own.length * ROW;
    return block;
  });
  return `<figure><svg viewBox="0 0 ${WIDTH} ${top + 30}" role="img" aria-label="${escaped(title)}">
${axis(max, top, x)}
${drawn.join('\n')}
</svg></figure>`;
}

interface Place {
  readonly top: number;
  readonly x: (value: number) => number;
}

function groupBlock(group: string, bars: readonly Bar[], { top, x }: Place): string {
  const rows = bars.map((bar, index) => barRow(bar, { top: top + HEAD + index * ROW, x }));
  const base = bars.find(({ isBase }) => isBase);
  const end = top + HEAD + bars.length * ROW;
  const mark = base
    ? line('base', [x(base.estimate.mean), top + HEAD], [x(base.estimate.mean), end])
    : '';
  return `<text class="group" x="0" y="${top + 17}">${escaped(group)}</text>
${rows.join('\n')}
${mark}`;
}

function barRow({ label, estimate, kind }: Bar, { top, x }: Place): string {
  const middle = top + ROW / 2;
  const [low, high] = [x(estimate.low), x(estimate.high)];
  const whisker = [
    line('whisker', [low, middle], [high, middle]),
    line('whisker', [low, middle - 4], [low, middle + 4]),
    line('whisker', [high, middle - 4], [high, middle + 4]),
  ].join('');
  const width = Math.max(0, x(estimate.mean) - LEFT).toFixed(1);
  return `<g><title>${escaped(`${label}: ${decimals(estimate.mean)} (${interval(estimate)})`)}</title>
<text class="label" x="${LEFT - 10}" y="${middle + 4}">${escaped(label)}</text>
<rect class="${kind}" x="${LEFT}" y="${middle - BAR / 2}" width="${width}" height="${BAR}" rx="2"/>
${whisker}
<text class="value" x="${RIGHT + 14}" y="${middle + 4}">${decimals(estimate.mean)}</text></g>`;
}

function axis(max: number, end: number, x: (value: number) => number): string {
  return Array.from({ length: 6 }, (_, i) => (max * i) / 5)
    .map((tick) => {
      const label = Number(tick.toFixed(3));
      return `${line('grid', [x(tick), HEAD - 4], [x(tick), end])}
<text class="tick" x="${x(tick).toFixed(1)}" y="${end + 18}">${label}</text>`;
    })
    .join('\n');
}

function line(kind: string, [x1, y1]: Point, [x2, y2]: Point): string {
  return `<line class="${kind}" x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"/>`;
}

type Point = readonly [number, number];

/** A round number at or above every bar, for the end of the axis. */
export function axisEnd(bars: readonly Bar[]): number {
  const highest = Math.max(...bars.map(({ estimate }) => estimate.high));
  return [0.05, 0.1, 0.2, 0.5].find((end) => highest <= end) ?? 1;
}
