import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApiError, call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { Failure } from '../shared/parts.js';
import { TokenForm } from './token-form.js';
import { Welcome } from './welcome.js';

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
  if (error !== undefined) {
    return (
      <>
        <Failure error={error} />
        <Welcome />
      </>
    );
  }
  return data === undefined ? null : children(project);
}
