import { useEffect, useRef } from 'preact/hooks';
import { ApiError, call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { KnownProjects } from './known-projects.js';
import { ProjectField } from './project-field.js';
import { TokenForm } from './token-form.js';

/** The front page: which project to look at. */
export function Welcome() {
  const section = useRef<HTMLElement>(null);
  const { data, error, again } = useLoad({
    key: 'projects',
    load: (signal) => call('GET /api/knowledge/x/projects', {}, signal),
  });
  useEffect(() => section.current?.querySelector('input')?.focus(), []);
  if (error instanceof ApiError && error.status === 401) return <TokenForm onToken={again} />;
  return (
    <section class="welcome" ref={section}>
      <h1>Which project?</h1>
      <p>
        The whole path of its directory, from <code>/</code> on, on the machine where the service
        runs.
      </p>
      <ProjectField page="" />
      <KnownProjects projects={data?.projects ?? []} />
    </section>
  );
}
