import type { PageProps } from '../shared/page-props.js';
import { Compaction } from './compaction.js';
import { Doctor } from './doctor.js';
import { ModelState } from './model-state.js';
import { Pruning } from './pruning.js';
import { Rebuild } from './rebuild.js';
import { Stale } from './stale.js';

/** The page for examining, rebuilding, pruning and compacting a project's store. Each change is confirmed first. */
export function UpkeepPage({ project, fields }: PageProps) {
  return (
    <div class="page">
      <h1 class="unseen">Upkeep</h1>
      <div class="panels">
        <Doctor project={project} />
        <Rebuild project={project} />
        <ModelState project={project} />
        <Stale project={project} />
      </div>
      <Pruning project={project} />
      <Compaction project={project} fields={fields} />
    </div>
  );
}
