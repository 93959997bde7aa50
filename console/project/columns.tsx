import { figure } from '../shared/text.js';

interface ColumnsProps {
  readonly bars: readonly (readonly [label: string, value: number])[];
}

/** Figures as a list of bars, each with its label and its value. */
export function Columns({ bars }: ColumnsProps) {
  const most = Math.max(...bars.map(([, value]) => value), 1);
  return (
    <ol class="histogram">
      {bars.map(([label, value]) => (
        <li key={label}>
          <span class="label">{label}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect width={(value / most) * 100} height="10" />
          </svg>
          <span class="number">{figure(value)}</span>
        </li>
      ))}
    </ol>
  );
}
