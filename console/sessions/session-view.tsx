import { useMemo, useState } from 'preact/hooks';
import { type Answer, call } from '../shared/api.js';
import { EditorLink } from '../shared/editor-link.js';
import { useLoad } from '../shared/load.js';
import { Markdown } from '../shared/markdown.js';
import { Failure } from '../shared/parts.js';
import { hrefOf } from '../shared/place.js';
import { count, minute } from '../shared/text.js';
import { AgentName } from './agent-name.js';
import { exchangesOf, type ShownExchange } from './exchanges.js';

interface SessionViewProps {
  readonly project: string;
  /** Any of the session's files. */
  readonly file: string;
}

/** Shows a session: its agent, its time, and the exchanges of one of its files. */
export function SessionView({ project, file }: SessionViewProps) {
  const text = useLoad({
    key: `${project} ${file}`,
    load: (signal) =>
      call('GET /api/knowledge/x/lines', { projectPath: project, sourceFile: file }, signal),
  });
  const sessions = useLoad({
    key: `${project} ${file}`,
    load: (signal) =>
      call('GET /api/knowledge/x/sessions', { projectPath: project, ...sameDay(file) }, signal),
  });
  const session = sessions.data?.sessions.find(({ sourceFiles }) => sourceFiles.includes(file));
  const exchanges = useMemo(() => exchangesOf(text.data?.text ?? ''), [text.data]);
  const title = session?.title ?? exchanges.find(({ heading }) => heading)?.heading ?? file;
  return (
    <article class="page narrow session">
      <p>
        <a href={hrefOf({ page: 'sessions', fields: { project } })}>← All sessions</a>
      </p>
      <Failure error={text.error} />
      {text.data && (
        <>
          <header class="stack">
            <h1>
              <bdi>{title}</bdi>
            </h1>
            <p class="meta">
              {session && <Origin session={session} />}
              <span>{count(exchanges.length, 'exchange')}</span>
              <EditorLink project={project} file={file} />
            </p>
          </header>
          <Parts project={project} file={file} files={session?.sourceFiles ?? []} />
          <Conversation exchanges={exchanges} />
          <Parts project={project} file={file} files={session?.sourceFiles ?? []} />
        </>
      )}
    </article>
  );
}

/** Restricts the request to the day of the session, with which the name of its file begins. */
function sameDay(file: string) {
  const [day] = /(?<=\/)\d{4}-\d{2}-\d{2}(?=-[^/]*$)/.exec(file) ?? [];
  return { limit: 200, ...(day !== undefined && { since: day, until: day }) };
}

interface OriginProps {
  readonly session: Answer<'GET /api/knowledge/x/sessions'>['sessions'][number];
}

function Origin({ session: { agent, branch, started, ended } }: OriginProps) {
  return (
    <>
      <AgentName agent={agent} />
      {started && (
        <span>
          {minute(started)}
          {ended && ` to ${minute(ended)}`}
        </span>
      )}
      {branch && (
        <span>
          branch <bdi>{branch}</bdi>
        </span>
      )}
    </>
  );
}

interface PartsProps {
  readonly project: string;
  readonly file: string;
  readonly files: readonly string[];
}

/** Links to the files of a long session. */
function Parts({ project, file, files }: PartsProps) {
  if (files.length < 2) return null;
  return (
    <nav class="row" aria-label="Parts of the session">
      {files.map((one, index) => (
        <a
          key={one}
          href={hrefOf({ page: 'sessions', fields: { project, file: one } })}
          aria-current={one === file ? 'page' : undefined}
        >
          Part {index + 1}
        </a>
      ))}
    </nav>
  );
}

function Conversation({ exchanges }: { readonly exchanges: readonly ShownExchange[] }) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      {exchanges.slice(0, shown).map(({ heading, at, text }, index) => (
        <section key={`${index} ${at}`} class="panel exchange">
          {heading && (
            <h2>
              <bdi>{heading}</bdi>
            </h2>
          )}
          {at && <time dateTime={at}>{minute(at)}</time>}
          <Markdown text={text} />
        </section>
      ))}
      {exchanges.length > shown && (
        <button type="button" onClick={() => setShown(shown + 5 * SHOWN)}>
          Show more of {count(exchanges.length, 'exchange')}
        </button>
      )}
    </>
  );
}

/** Exchanges to show at first, since a file may have a thousand. */
const SHOWN = 40;
