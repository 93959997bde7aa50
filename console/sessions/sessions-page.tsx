import { SESSION_AGENT_LABELS } from '../../src/domain/sessions/transcript.js';
import { call } from '../shared/api.js';
import { Choice } from '../shared/choice.js';
import { useLoad } from '../shared/load.js';
import type { PageProps } from '../shared/page-props.js';
import { Pages } from '../shared/pages.js';
import { Failure } from '../shared/parts.js';
import { change, type Fields, hrefOf } from '../shared/place.js';
import { minute } from '../shared/text.js';
import { AgentName } from './agent-name.js';
import { SessionView } from './session-view.js';

/** Lists the conversations of agents and people, or shows the one that the address names. */
export function SessionsPage({ project, fields }: PageProps) {
  const { file } = fields;
  return file ? (
    <SessionView key={file} project={project} file={file} />
  ) : (
    <SessionList project={project} fields={fields} />
  );
}

interface SessionListProps {
  readonly project: string;
  readonly fields: Fields;
}

function SessionList({ project, fields }: SessionListProps) {
  const { agent = '', since = '', until = '' } = fields;
  const offset = Number(fields['offset'] ?? 0) || 0;
  const asked = {
    projectPath: project,
    limit: PAGE,
    offset,
    ...(agent && { agent }),
    ...(since && { since }),
    ...(until && { until }),
  };
  const { data, error, isLoading } = useLoad({
    key: JSON.stringify(asked),
    load: (signal) => call('GET /api/knowledge/x/sessions', asked, signal),
  });
  const isFiltered = [agent, since, until].some((value) => value !== '');
  return (
    <div class="page narrow">
      <h1 class="unseen">Sessions</h1>
      <section class="panel" aria-labelledby="sessions-title" aria-busy={isLoading}>
        <h2 id="sessions-title">Sessions</h2>
        <Filters agent={agent} since={since} until={until} />
        <Failure error={error} />
        {data?.total === 0 &&
          (isFiltered ? <p class="muted">No session matches.</p> : <NoSessions />)}
        <ul class="plain entries">
          {data?.sessions.map((session) => (
            <li key={session.sourceFile}>
              <a
                href={hrefOf({ page: 'sessions', fields: { project, file: session.sourceFile } })}
                data-entry
              >
                <bdi class="clamped">{session.title}</bdi>
              </a>
              <span class="meta">
                <AgentName agent={session.agent} />
                {session.started && <time>{minute(session.started)}</time>}
                {session.branch && (
                  <span>
                    branch <bdi>{session.branch}</bdi>
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
        {data && data.total > PAGE && (
          <Pages offset={offset} size={PAGE} total={data.total} one="session" />
        )}
      </section>
    </div>
  );
}

const PAGE = 30;

interface FiltersProps {
  readonly agent: string;
  readonly since: string;
  readonly until: string;
}

function Filters({ agent, ...days }: FiltersProps) {
  return (
    <search class="row">
      <Choice label="Agent" name="agent" value={agent} options={AGENT_CHOICES} resets="offset" />
      {DAYS.map(([name, label]) => (
        <label key={name} class="field">
          <span>{label}</span>
          <input
            type="date"
            value={days[name]}
            onChange={({ currentTarget }) => change({ [name]: currentTarget.value, offset: '' })}
          />
        </label>
      ))}
    </search>
  );
}

const AGENT_CHOICES: readonly (readonly [agent: string, name: string])[] = [
  ['', 'all'],
  ...Object.entries(SESSION_AGENT_LABELS),
];

const DAYS = [
  ['since', 'From'],
  ['until', 'To'],
] as const;

function NoSessions() {
  return (
    <p class="muted">
      None. To keep sessions, run <code>knowledge-store connect claude --sessions</code>, or{' '}
      <code>connect codex --sessions</code>.
    </p>
  );
}
