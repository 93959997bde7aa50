import { call } from '../shared/api.js';
import { Confirmed } from '../shared/confirmed.js';
import { Failure } from '../shared/parts.js';
import { useAction } from '../shared/use-action.js';

/** What is wrong with the store, and its repair. */
export function Doctor({ project }: { readonly project: string }) {
  const projectPath = project;
  const examination = useAction(() => call('POST /api/knowledge/x/doctor', { projectPath }));
  const repair = useAction(() =>
    call('POST /api/knowledge/x/doctor', { projectPath, repair: true }),
  );
  const found = repair.result ?? examination.result;
  const isBusy = examination.isRunning || repair.isRunning;
  const examine = () => {
    repair.forget();
    void examination.run();
  };
  return (
    <section class="panel stack" aria-labelledby="doctor-title" aria-busy={isBusy}>
      <h2 id="doctor-title">Doctor</h2>
      <p class="row">
        <button type="button" disabled={isBusy} onClick={examine}>
          Examine the store
        </button>
        {isBusy && <span class="muted">Reading every page of the database …</span>}
      </p>
      <Failure error={examination.error ?? repair.error} />
      {found && (
        <div role="status" class="stack">
          <p class={`notice ${found.healthy ? 'good' : 'bad'}`}>
            {found.healthy ? 'The store is healthy.' : 'The store needs something to be done.'}
          </p>
          <ul class="plain">
            {found.problems.map(({ problem, advice, state }) => (
              <li key={problem}>
                <strong>{problem}</strong> <small>{state}</small> {advice}
              </li>
            ))}
            {found.notes.map((note) => (
              <li key={note} class="muted">
                {note}
              </li>
            ))}
          </ul>
        </div>
      )}
      {found?.healthy === false && (
        <Confirmed
          action="Repair"
          consequence="Everything that is derived and wrong will be made again. A database that cannot be read is moved aside, and the sources are read again."
          disabled={isBusy}
          onConfirm={repair.run}
        />
      )}
    </section>
  );
}
