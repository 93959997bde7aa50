import { storeVerdict } from '../../src/domain/upkeep/verdict.js';
import { call } from '../shared/api.js';
import { Confirmed } from '../shared/confirmed.js';
import { Failure } from '../shared/parts.js';
import { useAction } from '../shared/use-action.js';

/** Shows the problems of the store and repairs them. */
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
      <p class="muted">Checks the database, its indexes and the vectors, and changes nothing.</p>
      <p class="row">
        <button type="button" disabled={isBusy} onClick={examine}>
          Examine the store
        </button>
        {isBusy && <span class="muted">Reading every page of the database …</span>}
      </p>
      <Failure error={examination.error ?? repair.error} />
      {found && (
        <div role="status" class="stack">
          <p class={`notice ${found.ok ? 'good' : 'bad'}`}>{storeVerdict(found)}</p>
          <ul class="plain">
            {found.findings.map(({ sentence, repaired }) => (
              <li key={sentence}>
                {sentence} {repaired && <small>repaired</small>}
              </li>
            ))}
          </ul>
        </div>
      )}
      {found?.ok === false && (
        <Confirmed
          action="Repair"
          consequence="An index that is wrong is rebuilt. A database that cannot be read is set aside, and the sources are indexed again."
          disabled={isBusy}
          onConfirm={repair.run}
        />
      )}
    </section>
  );
}
