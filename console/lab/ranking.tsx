import { withinBudget } from '../../src/domain/ranking/budget.js';
import type { Loaded } from '../shared/load.js';
import { Failure } from '../shared/parts.js';
import { count } from '../shared/text.js';
import { BudgetBar } from './budget-bar.js';
import type { Found } from './found.js';
import { Hit } from './hit.js';
import type { LabState } from './lab-state.js';
import { Reading } from './reading.js';

interface RankingProps {
  readonly project: string;
  readonly state: LabState;
  readonly found: Loaded<Found>;
  /** The ranking to compare with. */
  readonly other?: Found | undefined;
  readonly title?: string | undefined;
}

/** The results of one search, with how the query was read and which results the budget allows. */
export function Ranking({ project, state, found, other, title }: RankingProps) {
  const { data, error, isLoading, milliseconds = 0 } = found;
  if (data === undefined) return <Failure error={error} />;
  const { kept, usedTokens } = withinBudget(data.results, {
    maxResults: state.results,
    maxTokens: state.tokens,
  });
  const placesBefore = new Map(other?.results.map(({ chunk }, index) => [chunk.id, index + 1]));
  const top = Math.max(...data.results.map(({ score }) => Math.abs(score)), 1e-9);
  return (
    <section class="ranking" aria-label={title ? `${title} mode` : 'Results'} aria-busy={isLoading}>
      {title && <h2>{title}</h2>}
      <Reading found={data} />
      <p class="summary" role="status">
        {count(kept.length, 'result')} of {count(data.results.length, 'ranked chunk')} ·{' '}
        {count(usedTokens, 'token')} · {Math.max(1, Math.round(milliseconds))} ms
      </p>
      <BudgetBar results={data.results} kept={kept.length} budget={state.tokens} />
      <ol class="hits">
        {data.results.map((result, index) => (
          <Hit
            key={result.chunk.id}
            project={project}
            result={result}
            trace={data.explain.results[index]}
            query={state.query}
            place={index + 1}
            topScore={top}
            isCut={index >= kept.length}
            {...(other && { placeBefore: placesBefore.get(result.chunk.id) ?? 'absent' })}
          />
        ))}
      </ol>
    </section>
  );
}
