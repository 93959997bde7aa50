import type { Answer } from '../shared/api.js';
import { FIRST_PAGE, hrefOf } from '../shared/place.js';
import { bytes, minute } from '../shared/text.js';

type Known = Answer<'GET /api/knowledge/x/projects'>['projects'][number];

/** The projects that the service knows, with their sizes. */
export function RecentProjects({ projects }: { readonly projects: readonly Known[] }) {
  if (projects.length === 0) return null;
  return (
    <section aria-labelledby="known-title">
      <h2 id="known-title">Projects of this machine</h2>
      <ul class="plain">
        {projects.map(({ projectPath, usedAt, bytes: size }) => (
          <li key={projectPath}>
            <a href={hrefOf({ page: FIRST_PAGE, fields: { project: projectPath } })} data-entry>
              <bdi class="path">{projectPath}</bdi>
            </a>
            <small class="block muted">
              {size !== undefined && `${bytes(size)} · `}last opened {minute(usedAt)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
