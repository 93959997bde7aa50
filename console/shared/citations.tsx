import type { Answer } from './api.js';

interface CitationsProps {
  readonly citations: Answer<'GET /api/knowledge/x/chunks/{id}'>['citations'];
}

/** Lists the files that a chunk cites, and whether they have changed. */
export function Citations({ citations = [] }: CitationsProps) {
  if (citations.length === 0) return null;
  return (
    <ul class="citations" aria-label="Cites">
      {citations.map(({ path, lines, state, movedTo }) => (
        <li key={`${path} ${lines}`} data-state={state}>
          <bdi class="path">
            {path}
            {lines && `:${lines}`}
          </bdi>{' '}
          <span>{state !== 'current' && STATES[state]}</span>{' '}
          {movedTo && (
            <bdi class="path">
              → {path}:{movedTo}
            </bdi>
          )}
        </li>
      ))}
    </ul>
  );
}

const STATES = {
  changed: 'has changed since',
  gone: 'is gone',
} as const;
