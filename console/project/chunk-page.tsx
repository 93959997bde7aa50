import { displayTitle } from '../../src/domain/chunks/display-title.js';
import { tokenCost } from '../../src/domain/text.js';
import { type Answer, call } from '../shared/api.js';
import { Citations } from '../shared/citations.js';
import { EditorLink } from '../shared/editor-link.js';
import { useLoad } from '../shared/load.js';
import { Markdown } from '../shared/markdown.js';
import type { PageProps } from '../shared/page-props.js';
import { ChunkLink, Failure, Type } from '../shared/parts.js';
import { hrefOf } from '../shared/place.js';
import { count, decimal, minute, times } from '../shared/text.js';

/** Shows one chunk: its text, the questions it answers, its neighbours and its history. */
export function ChunkPage({ project, fields }: PageProps) {
  const { id = '' } = fields;
  const { data, error } = useLoad({
    key: `${project} ${id}`,
    load: (signal) =>
      call('GET /api/knowledge/x/chunks/{id}', { projectPath: project, id }, signal),
  });
  if (data === undefined) return <Failure error={error} />;
  const { chunk, questions, neighbours } = data;
  return (
    <article class="page chunk">
      <header>
        <h1>
          <bdi class="long">{displayTitle(chunk) ?? chunk.sourceFile}</bdi>
        </h1>
        <p class="meta">
          <Type type={chunk.sourceType} />
          <a
            href={hrefOf({
              page: 'project',
              fields: { project, file: chunk.sourceFile, order: 'source' },
            })}
          >
            <bdi class="path">{chunk.id}</bdi>
          </a>
          <EditorLink project={project} file={chunk.sourceFile} line={data.line} />
          <span>{count(tokenCost(chunk.content), 'token')}</span>
          <span>importance {decimal(chunk.importance, 1)}</span>
          {chunk.tags?.map((tag) => (
            <bdi key={tag} class="tag">
              {tag}
            </bdi>
          ))}
        </p>
        {data.stale && (
          <p class="notice bad">Something that this chunk cites has changed or is gone.</p>
        )}
        {data.supersededBy && (
          <p class="notice bad">
            Replaced by{' '}
            <ChunkLink project={project} id={data.supersededBy}>
              {data.supersededBy}
            </ChunkLink>
          </p>
        )}
        <Citations citations={data.citations} />
      </header>
      <Markdown text={chunk.content} />
      <aside>
        <History project={project} chunk={chunk} />
        <section aria-labelledby="neighbours-title">
          <h2 id="neighbours-title">Neighbours by meaning</h2>
          {neighbours.length === 0 && <p class="muted">None: the chunk has no vector yet.</p>}
          <ol class="plain neighbours">
            {neighbours.map(({ id: other, title, heading, sourceFile, cosine }) => (
              <li key={other}>
                <span class="number">{decimal(cosine)}</span>{' '}
                <ChunkLink project={project} id={other}>
                  <span class="clamped">{title ?? heading ?? sourceFile}</span>
                </ChunkLink>
                <bdi class="path muted clamped">{other}</bdi>
              </li>
            ))}
          </ol>
        </section>
        <section aria-labelledby="questions-title">
          <h2 id="questions-title">Questions that it answers</h2>
          {questions.length === 0 && (
            <p class="muted">None: a small language model writes them, if one is configured.</p>
          )}
          <ul class="plain">
            {questions.map((question) => (
              <li key={question}>
                <bdi>{question}</bdi>
              </li>
            ))}
          </ul>
        </section>
      </aside>
    </article>
  );
}

interface HistoryProps {
  readonly project: string;
  readonly chunk: Answer<'GET /api/knowledge/x/chunks/{id}'>['chunk'];
}

function History({ project, chunk }: HistoryProps) {
  const asked = { projectPath: project, sourceFile: chunk.sourceFile, limit: 200 };
  const { data } = useLoad({
    key: JSON.stringify(asked),
    load: (signal) => call('GET /api/knowledge/x/chunks', asked, signal),
  });
  const place = data?.chunks.findIndex(({ id }) => id === chunk.id) ?? -1;
  const [before, entry, after] = [-1, 0, 1].map((step) => data?.chunks[place + step]);
  return (
    <section aria-labelledby="history-title">
      {place >= 0 && (
        <nav class="row" aria-label="The same source">
          {before && (
            <ChunkLink project={project} id={before.id}>
              ← Previous chunk
            </ChunkLink>
          )}
          {after && (
            <ChunkLink project={project} id={after.id}>
              Next chunk →
            </ChunkLink>
          )}
        </nav>
      )}
      <h2 id="history-title">History</h2>
      <dl class="history">
        <dt>Created</dt>
        <dd>{minute(chunk.createdAt)}</dd>
        <dt>Changed</dt>
        <dd>{minute(chunk.updatedAt)}</dd>
        {entry && (
          <>
            <dt>Retrieved</dt>
            <dd>{entry.retrievals === 0 ? 'never' : times(entry.retrievals)}</dd>
          </>
        )}
        {entry?.lastRetrievedAt && (
          <>
            <dt>Last</dt>
            <dd>{minute(entry.lastRetrievedAt)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
