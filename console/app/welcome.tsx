import { useEffect, useRef } from 'preact/hooks';
import { ProjectField } from './project-field.js';
import { RecentProjects } from './recent-projects.js';

/** The front page: which project to look at. */
export function Welcome() {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.querySelector('input')?.focus(), []);
  return (
    <section class="welcome" ref={section}>
      <h1>Which project?</h1>
      <p>
        The whole path of its directory, from <code>/</code> on, on the machine where the service
        runs.
      </p>
      <ProjectField page="" />
      <RecentProjects />
    </section>
  );
}
