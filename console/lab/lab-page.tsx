import { useEffect, useRef } from 'preact/hooks';
import { useLoad } from '../shared/load.js';
import type { PageProps } from '../shared/page-props.js';
import { change } from '../shared/place.js';
import { CopyAs } from './copy-as.js';
import { Differences } from './differences.js';
import { find } from './found.js';
import { LabControls } from './lab-controls.js';
import { type LabState, labState, type Mode, searchOf } from './lab-state.js';
import { Ranking } from './ranking.js';

/** Searches while the query is typed, and shows why each result is where it is. */
export function LabPage({ project, fields }: PageProps) {
  const state = labState(fields);
  const first = useSearch(project, state, state.first);
  const second = useSearch(project, state, state.second);
  const shared = { project, state };
  return (
    <div class="lab">
      <h1 class="unseen">Search lab</h1>
      <QueryField query={state.query} />
      <LabControls state={state} />
      {state.query.trim() === '' ? (
        <Hint />
      ) : (
        <>
          {first.data && second.data && (
            <Differences state={state} first={first.data} second={second.data} />
          )}
          <div class="columns" data-columns={state.second ? 2 : 1}>
            <Ranking
              {...shared}
              found={first}
              {...(state.second && { title: 'First', other: second.data })}
            />
            {state.second && (
              <Ranking {...shared} found={second} other={first.data} title="Second" />
            )}
          </div>
        </>
      )}
      {state.query.trim() !== '' && <CopyAs project={project} state={state} />}
    </div>
  );
}

/** Runs the search of a mode. Sends no request if there is no mode or no query. */
function useSearch(project: string, state: LabState, mode: Mode | undefined) {
  const request = mode && searchOf(project, state, mode);
  const isAsked = request !== undefined && request.query.trim() !== '';
  return useLoad({
    key: isAsked ? JSON.stringify(request) : undefined,
    load: async (signal) => {
      const asked = request ?? searchOf(project, state, state.first);
      return find(asked, mode?.profile ?? 'reading', signal);
    },
    delayMs: TYPING_MS,
  });
}

const TYPING_MS = 120;

function QueryField({ query }: { readonly query: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (query === '') field.current?.focus();
  }, []);
  return (
    <search class="query">
      <label>
        <span class="unseen">Query</span>
        <input
          ref={field}
          type="search"
          value={query}
          onInput={({ currentTarget }) => change({ q: currentTarget.value })}
          placeholder="Ask what an agent would ask"
          autocomplete="off"
          spellcheck={false}
          data-first-field
        />
      </label>
    </search>
  );
}

function Hint() {
  return (
    <p class="hint">
      Type words, a question, or an expression: <code>"a phrase"</code>, <code>AND</code>,{' '}
      <code>OR</code>, <code>NOT</code>, <code>prefix*</code>. Results appear as you type, and are
      not counted as retrievals.
    </p>
  );
}
