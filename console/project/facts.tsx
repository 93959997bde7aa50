import type { Answer } from '../shared/api.js';
import { Bar } from '../shared/parts.js';
import { bytes, figure, minute } from '../shared/text.js';

interface FactsProps {
  readonly stats: Answer<'GET /api/knowledge/stats'>;
  readonly status: Answer<'GET /api/knowledge/x/status'>;
}

/** Shows the figures of a project and the progress of its background work. */
export function Facts({ stats, status }: FactsProps) {
  return (
    <section aria-label="At a glance">
      <dl class="facts">
        <Fact
          name="Chunks"
          value={figure(stats.totalChunks)}
          {...(status.indexing && { detail: 'being indexed for the first time' })}
        />
        <Fact name="Sources" value={figure(stats.uniqueSources)} />
        <Fact name="Database" value={bytes(stats.totalSizeBytes)} />
        <Fact name="Last change" value={stats.lastUpdated ? minute(stats.lastUpdated) : 'none'} />
        <Progress name="Vectors" progress={status.embeddings} />
        {/* Without a language model there are never any questions. */}
        {status.hype.complete > 0 && <Progress name="Questions" progress={status.hype} />}
        <Fact name="Model" value={MODEL_STATES[status.model.state]} detail={status.model.name} />
        <Fact
          name="Search"
          value={stats.enabledHybridRetrieval ? 'keyword and meaning' : 'keyword only'}
        />
      </dl>
      <p class="muted path">{stats.dbPath}</p>
    </section>
  );
}

export const MODEL_STATES = {
  idle: 'not loaded yet',
  loading: 'loading',
  ready: 'ready',
  failed: 'failed, will be retried',
  absent: 'not on this machine',
} as const;

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly detail?: string;
}

function Fact({ name, value, detail }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {detail && <small> {detail}</small>}
      </dd>
    </div>
  );
}

interface ProgressProps {
  readonly name: string;
  readonly progress: { readonly complete: number; readonly pending: number };
}

function Progress({ name, progress: { complete, pending } }: ProgressProps) {
  const total = complete + pending;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {figure(complete)} <small>of {figure(total)}</small>
        <Bar share={total === 0 ? 0 : complete / total} kind="meaning" />
      </dd>
    </div>
  );
}
