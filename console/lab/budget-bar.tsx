import { tokenCost } from '../../src/domain/text.js';
import { figure } from '../shared/text.js';
import type { Found } from './found.js';

interface BudgetBarProps {
  readonly results: Found['results'];
  /** How many of the results fit. */
  readonly kept: number;
  readonly budget: number;
}

/** Shows the token budget as a bar, with one piece per chunk. Chunks that do not fit lie beyond the end of the bar. */
export function BudgetBar({ results, kept, budget }: BudgetBarProps) {
  const pieces = piecesOf(results);
  const used = pieces[kept - 1]?.end ?? 0;
  const shown = Math.max(budget, pieces[Math.min(kept + SHOWN_CUT, pieces.length) - 1]?.end ?? 0);
  const cut = results.length - kept;
  return (
    <figure class="budget">
      <svg viewBox={`0 0 ${WIDTH} 14`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width={(budget / shown) * WIDTH} height="14" />
        {pieces.map(({ id, start, end }, index) => (
          <rect
            key={id}
            class={index < kept ? 'kept' : 'cut'}
            x={(start / shown) * WIDTH}
            width={Math.max(0, ((end - start) / shown) * WIDTH - 1)}
            height="14"
          />
        ))}
        <rect
          class="limit"
          x={Math.min((budget / shown) * WIDTH, WIDTH - 2)}
          width="2"
          height="14"
        />
      </svg>
      <figcaption>
        {figure(used)} of {figure(budget)} tokens used
        {cut > 0 && ` · ${figure(cut)} cut`}
        {kept === 0 && results.length > 0 && ': the first one does not fit, so nothing is returned'}
      </figcaption>
    </figure>
  );
}

const WIDTH = 1000;
const SHOWN_CUT = 5;

function piecesOf(results: Found['results']) {
  let end = 0;
  return results.map(({ chunk }) => {
    const start = end;
    end += tokenCost(chunk.content);
    return { id: chunk.id, start, end };
  });
}
