import { type Answer, call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { FIRST_PAGE, hrefOf } from '../shared/place.js';
import { count, minute } from '../shared/text.js';

type Known = Answer<'GET /api/knowledge/x/projects'>['projects'][number];

/** The projects that the service knows, with their sizes. */
export function KnownProjects({ projects }: { readonly projects: readonly Known[] }) {
  if (projects.length === 0) return null;
  return (
    <section aria-labelledby="known-title">
      <h2 id="known-title">Projects of this machine</h2>
      <ul class="plain">
        {projects.map(({ projectPath, usedAt }) => (
          <li key={projectPath}>
            <a href={hrefOf({ page: FIRST_PAGE, fields: { project: projectPath } })} data-entry>
              <bdi class="path">{projectPath}</bdi>
            </a>
            <small class="block muted">
              <Content projectPath={projectPath} /> · last used {minute(usedAt)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Asks for the status, which unlike the statistics makes no database where there is none. */
function Content({ projectPath }: Pick<Known, 'projectPath'>) {
  const { data, error } = useLoad({
    key: projectPath,
    load: (signal) => call('GET /api/knowledge/x/status', { projectPath }, signal),
  });
  if (data === undefined) return <>{error?.message ?? '…'}</>;
  const { complete, pending } = data.embeddings;
  const waiting = pending > 0 ? `, ${count(pending, 'vector')} to make` : '';
  return <>{count(complete + pending, 'chunk') + waiting}</>;
}
