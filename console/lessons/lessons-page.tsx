import { useState } from 'preact/hooks';
import { displayTitle } from '../../src/domain/chunks/display-title.js';
import { tokenCost } from '../../src/domain/text.js';
import { type Answer, call } from '../shared/api.js';
import type { PageProps } from '../shared/page-props.js';
import { ChunkLink, Failure, Preformatted, Type } from '../shared/parts.js';
import { change } from '../shared/place.js';
import { count, decimal } from '../shared/text.js';
import { useAction } from '../shared/use-action.js';

/**
 * Shows the lessons that an agent would get for a feature. A button requests them, because they count as retrievals.
 */
export function LessonsPage({ project, fields }: PageProps) {
  const [title, setTitle] = useState(fields['title'] ?? '');
  const [description, setDescription] = useState(fields['description'] ?? '');
  const lessons = useAction(() =>
    call('POST /api/knowledge/x/lessons', {
      projectPath: project,
      title,
      ...(description.trim() !== '' && { description }),
    }),
  );
  const ask = (event: Event) => {
    event.preventDefault();
    change({ title, description });
    void lessons.run();
  };
  return (
    <div class="page split">
      <h1 class="unseen">Lessons</h1>
      <form class="panel stack" onSubmit={ask}>
        <h2>Your next task</h2>
        <label class="field">
          <span>Title</span>
          <input
            value={title}
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
            data-first-field
          />
        </label>
        <label class="field">
          <span>Description</span>
          <textarea
            rows={6}
            value={description}
            onInput={({ currentTarget }) => setDescription(currentTarget.value)}
          />
        </label>
        <p class="row">
          <button type="submit" class="strong" disabled={title.trim() === '' || lessons.isRunning}>
            Show the lessons
          </button>
          <small>Counts as a retrieval, as for an agent.</small>
        </p>
      </form>
      <div class="stack" aria-live="polite" aria-busy={lessons.isRunning}>
        <Failure error={lessons.error} />
        {lessons.result && <Found project={project} found={lessons.result} />}
      </div>
    </div>
  );
}

interface FoundProps {
  readonly project: string;
  readonly found: Answer<'POST /api/knowledge/x/lessons'>;
}

function Found({ project, found: { section, source, results } }: FoundProps) {
  if (section === '') return <p class="notice">There are no lessons for this feature.</p>;
  return (
    <>
      <section class="panel" aria-labelledby="section-title">
        <h2 id="section-title">What the agent gets</h2>
        <p class="muted">
          {count(tokenCost(section), 'token')} · {SOURCES[source]}
        </p>
        <Preformatted text={section} />
      </section>
      {results.length > 0 && (
        <section class="panel" aria-labelledby="from-title">
          <h2 id="from-title">Where it comes from</h2>
          <ol class="plain">
            {results.map(({ chunk, relevance }) => (
              <li key={chunk.id}>
                <ChunkLink project={project} id={chunk.id}>
                  <span class="clamped">{displayTitle(chunk) ?? chunk.sourceFile}</span>
                </ChunkLink>
                <span class="meta">
                  <Type type={chunk.sourceType} />
                  <bdi class="path">{chunk.sourceFile}</bdi>
                  <span>{count(tokenCost(chunk.content), 'token')}</span>
                  {relevance !== undefined && <span>relevance {decimal(relevance)}</span>}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

const SOURCES = {
  search: 'found by a search of reflections, agent outputs, notes and memory',
  siblings: 'from finished features of the same epic',
  none: '',
} as const;
