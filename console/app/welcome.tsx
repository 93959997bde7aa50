import { useEffect, useRef } from 'preact/hooks';
import { call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { Failure } from '../shared/parts.js';
import { ProjectField } from './project-field.js';
import { RecentProjects } from './recent-projects.js';
import { TokenGate } from './token-form.js';

/** The front page, which asks for a project. `failure` tells why the requested project is not shown. */
export function Welcome({ failure }: { readonly failure?: Error | undefined }) {
  const section = useRef<HTMLElement>(null);
  const { data, error, again } = useLoad({
    key: 'projects',
    load: (signal) => call('GET /api/knowledge/x/projects', { figures: 'true' }, signal),
  });
  useEffect(() => section.current?.querySelector('input')?.focus(), []);
  return (
    <TokenGate error={error} onToken={again}>
      <Failure error={failure ?? error} />
      <section class="welcome" ref={section}>
        <h1>Which project?</h1>
        <p>Absolute path of the project, on the machine where the service runs.</p>
        <ProjectField page="" />
        <RecentProjects projects={data?.projects ?? []} />
      </section>
    </TokenGate>
  );
}
