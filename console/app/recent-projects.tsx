import type { Answer } from '../shared/api.js';
import { FIRST_PAGE, hrefOf } from '../shared/place.js';
import { age, bytes, count, minute } from '../shared/text.js';

type Known = Answer<'GET /api/knowledge/x/projects'>['projects'][number];

/** Lists the projects that the service knows, with their size and last use. */
export function RecentProjects({ projects }: { readonly projects: readonly Known[] }) {
  if (projects.length === 0) return null;
  return (
    <section aria-labelledby="known-title">
      <h2 id="known-title">Recent projects</h2>
      <ul class="plain entries">
        {projects.map(({ projectPath, ...known }) => (
          <li key={projectPath}>
            <a href={hrefOf({ page: FIRST_PAGE, fields: { project: projectPath } })} data-entry>
              <bdi class="path">{projectPath}</bdi>
            </a>
            <small class="block muted">{figuresOf(known.figures)}</small>
            <small class="block muted">
              {known.bytes !== undefined && `${bytes(known.bytes)} · `}last opened{' '}
              {minute(known.usedAt)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function figuresOf(figures: Known['figures']): string {
  if (figures === undefined) return 'not indexed yet';
  const { chunks, sources, lastUpdated } = figures;
  const size = `${count(chunks, 'chunk')} of ${count(sources, 'source')}`;
  return lastUpdated === undefined ? size : `${size} · last change ${age(lastUpdated)}`;
}
