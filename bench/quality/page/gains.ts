import { mean } from '../statistics.js';
import { decimals, signed } from '../text-report.js';
import { escaped } from './html.js';

const WIDTH = 300;
const HEIGHT = 130;
const MIDDLE = HEIGHT / 2;

/** The gain or loss of a mode on each query, largest gain first, as one SVG from -1 to 1. */
export function gainsFigure(label: string, gains: readonly number[]): string {
  const better = gains.filter((gain) => gain > 0).length;
  const worse = gains.filter((gain) => gain < 0).length;
  const summary = `${better} better, ${worse} worse, ${gains.length - better - worse} the same`;
  return `<figure class="small"><figcaption><b>${escaped(label)}</b> ${signed(mean(gains))}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(`${label}: ${summary}`)}">
<title>${escaped(`${label}: ${summary}, mean ${decimals(mean(gains))}`)}</title>
${guides()}
${areas(gains)}
</svg><figcaption class="muted">${summary}</figcaption></figure>`;
}

function guides(): string {
  return [1, 0.5, 0, -0.5, -1]
    .map((value) => {
      const y = heightOf(value).toFixed(1);
      const kind = value === 0 ? 'zero' : 'grid';
      return `<line class="${kind}" x1="28" y1="${y}" x2="${WIDTH}" y2="${y}"/>
<text class="side" x="24" y="${Number(y) + 4}">${value > 0 ? `+${value}` : value}</text>`;
    })
    .join('\n');
}

function areas(gains: readonly number[]): string {
  const sorted = gains.toSorted((a, b) => b - a);
  const step = (WIDTH - 28) / sorted.length;
  const firstLoss = sorted.filter((gain) => gain >= 0).length;
  return [
    area(
      'gain',
      sorted.filter((gain) => gain > 0),
      { left: 28, step },
    ),
    area('loss', sorted.slice(firstLoss), { left: 28 + firstLoss * step, step }),
  ].join('\n');
}

function area(
  kind: 'gain' | 'loss',
  values: readonly number[],
  { left, step }: { readonly left: number; readonly step: number },
): string {
  if (values.length === 0) return '';
  const tops = values.map((value) => `V${heightOf(value).toFixed(1)}h${step.toFixed(4)}`).join('');
  return `<path class="${kind}" d="M${left.toFixed(1)} ${MIDDLE}${tops}V${MIDDLE}Z"/>`;
}

function heightOf(value: number): number {
  return MIDDLE - value * (MIDDLE - 8);
}
