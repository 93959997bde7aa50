import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApiError, call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { Failure } from '../shared/parts.js';
import { ProjectField } from './project-field.js';
import { TokenForm } from './token-form.js';

interface ProjectGateProps {
  readonly project: string | undefined;
  /** Called once the service has opened the project. */
  readonly onOpen: (path: string) => void;
  readonly children: (path: string) => ComponentChildren;
}

/** Asks for what is missing before a project can be shown: its path, or the token of the service. */
export function ProjectGate({ project, onOpen, children }: ProjectGateProps) {
  const { data, error, again } = useLoad({
    key: project,
    load: (signal) => call('GET /api/knowledge/stats', { projectPath: project ?? '' }, signal),
  });
  useEffect(() => {
    if (data !== undefined && project !== undefined) onOpen(project);
  }, [data, project]);
  if (error instanceof ApiError && error.status === 401) {
    return <TokenForm onToken={again} />;
  }
  if (project === undefined) return <Welcome />;
  if (error !== undefined) return <Failure error={error} />;
  return data === undefined ? null : children(project);
}

function Welcome() {
  return (
    <section class="welcome">
      <h1>Which project?</h1>
      <p>The absolute path of its directory, on the machine where the service runs.</p>
      <ProjectField page="" />
    </section>
  );
}
