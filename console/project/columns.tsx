import { Bar } from '../shared/parts.js';
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
          <Bar share={value / most} />
          <span class="number">{figure(value)}</span>
        </li>
      ))}
    </ol>
  );
}
