import { type Answer, call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import type { PageProps } from '../shared/page-props.js';
import { Failure } from '../shared/parts.js';
import { ChunkTable } from './chunk-table.js';
import { Facts } from './facts.js';
import { SourceTable } from './source-table.js';

/** Whether indexing or embedding is still running. */
function goesOn({ embeddings, indexing }: Answer<'GET /api/knowledge/x/status'>): boolean {
  return embeddings.pending > 0 || indexing !== undefined;
}

/** Shows the contents of a project's store and the progress of background work. */
export function ProjectPage({ project, fields }: PageProps) {
  const projectPath = project;
  const status = useLoad({
    key: project,
    load: (signal) => call('GET /api/knowledge/x/status', { projectPath }, signal),
    repeatAfter: goesOn,
  });
  const isWorking = status.data !== undefined && goesOn(status.data);
  const stats = useLoad({
    key: `${isWorking} ${project}`,
    load: (signal) => call('GET /api/knowledge/stats', { projectPath }, signal),
    repeatAfter: () => isWorking,
  });
  // The tables take longer to load, so they are requested after the figures, which matters in a large store.
  const hasBegun = [stats, status].every(({ data, error }) => data ?? error);
  return (
    <div class="page">
      <h1 class="unseen">Project</h1>
      <Failure error={stats.error ?? status.error} />
      {stats.data && status.data && <Facts stats={stats.data} status={status.data} />}
      {hasBegun && (
        <>
          <ChunkTable project={project} fields={fields} />
          <SourceTable project={project} filter={fields['source'] ?? ''} />
        </>
      )}
    </div>
  );
}
