import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { TokenGate } from './token-form.js';
import { Welcome } from './welcome.js';

interface ProjectGateProps {
  readonly project: string | undefined;
  /** Called once the service has opened the project. */
  readonly onOpen: (path: string) => void;
  readonly children: (path: string) => ComponentChildren;
}

/**
 * Shows its children once a project is open. Until then, asks for the path of a project or the token of the service.
 */
export function ProjectGate({ project, onOpen, children }: ProjectGateProps) {
  const { data, error, again } = useLoad({
    key: project,
    load: (signal) => call('GET /api/knowledge/stats', { projectPath: project ?? '' }, signal),
  });
  useEffect(() => {
    if (data !== undefined && project !== undefined) onOpen(project);
  }, [data, project]);
  if (project === undefined) return <Welcome />;
  return (
    <TokenGate error={error} onToken={again}>
      {error !== undefined && <Welcome failure={error} />}
      {data !== undefined && children(project)}
    </TokenGate>
  );
}
