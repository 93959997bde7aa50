import { call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { FIRST_PAGE, hrefOf } from '../shared/place.js';
import { recentProjects } from '../shared/recent.js';
import { count } from '../shared/text.js';

/** The projects that were looked at in this browser, with their sizes. */
export function RecentProjects() {
  const paths = recentProjects();
  if (paths.length === 0) return null;
  return (
    <>
      <h2>Recent projects</h2>
      <ul class="plain">
        {paths.map((path) => (
          <li key={path}>
            <a href={hrefOf({ page: FIRST_PAGE, fields: { project: path } })} data-entry>
              <bdi class="path">{path}</bdi>
            </a>
            <Size path={path} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Size({ path }: { readonly path: string }) {
  const { data, error } = useLoad({
    key: path,
    load: (signal) => call('GET /api/knowledge/x/status', { projectPath: path }, signal),
  });
  if (error !== undefined) return <small class="block muted">{error.message}</small>;
  if (data === undefined) return null;
  const { complete, pending } = data.embeddings;
  const waiting = pending > 0 ? `, ${count(pending, 'vector')} to make` : '';
  return (
    <small class="block muted">
      {count(complete + pending, 'chunk')}
      {waiting}
    </small>
  );
}
