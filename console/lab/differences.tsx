import { withinBudget } from '../../src/domain/ranking/budget.js';
import { count } from '../shared/text.js';
import type { Found } from './found.js';
import type { LabState, Mode } from './lab-state.js';

interface DifferencesProps {
  readonly state: LabState;
  readonly first: Found;
  readonly second: Found;
}

/** Tells how far the results of two modes agree, after the limits were applied. */
export function Differences({ state, first, second }: DifferencesProps) {
  const [ones, others] = [first, second].map((found) => keptIds(found, state));
  if (ones === undefined || others === undefined || state.second === undefined) return null;
  const both = [...ones].filter((id) => others.has(id)).length;
  const isSame = [...ones].join('\n') === [...others].join('\n');
  return (
    <p class="notice" role="status">
      First: {nameOf(state.first)}. Second: {nameOf(state.second)}.{' '}
      {isSame
        ? 'Both return the same results in the same order.'
        : `${count(both, 'result')} in both, ${ones.size - both} only in the first, ${others.size - both} only in the second.`}
    </p>
  );
}

function keptIds({ results }: Found, { results: maxResults, tokens: maxTokens }: LabState) {
  const { kept } = withinBudget(results, { maxResults, maxTokens });
  return new Set(kept.map(({ chunk }) => chunk.id));
}

function nameOf({ profile }: Mode): string {
  return profile === 'reading'
    ? 'as people and agents search (/x/search)'
    : 'as the specification says (/search)';
}
