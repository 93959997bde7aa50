import { call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import type { PageProps } from '../shared/page-props.js';
import { Failure } from '../shared/parts.js';
import { change } from '../shared/place.js';
import { count, day, figure } from '../shared/text.js';
import { NoteEditor } from './note-editor.js';

/** What agents and people have saved, newest first, to be read, corrected and deleted. */
export function NotesPage({ project, fields }: PageProps) {
  const { note } = fields;
  const asked = { projectPath: project, sourceType: 'manual', order: 'newest', limit: MOST_NOTES };
  const notes = useLoad({
    key: project,
    load: (signal) => call('GET /api/knowledge/x/chunks', asked, signal),
  });
  const entries = firstChunks(notes.data?.chunks ?? []);
  const show = (sourceFile: string) => {
    notes.again();
    change({ note: sourceFile });
  };
  return (
    <div class="page split">
      <h1 class="unseen">Notes</h1>
      <section class="panel" aria-labelledby="notes-title">
        <h2 id="notes-title">Notes</h2>
        <p class="row">
          <button type="button" class="strong" onClick={() => change({ note: NEW })}>
            New note
          </button>
          {notes.data && <span class="muted">{count(entries.length, 'note')}</span>}
        </p>
        <Failure error={notes.error} />
        {notes.data && entries.length === 0 && (
          <p class="muted">None yet. Agents save them with the tool save_note.</p>
        )}
        <ul class="plain">
          {entries.map(({ sourceFile, heading, updatedAt, retrievals }) => (
            <li key={sourceFile}>
              <button
                type="button"
                class="entry"
                aria-current={sourceFile === note ? 'true' : undefined}
                onClick={() => change({ note: sourceFile })}
                data-entry
              >
                <bdi class="clamped">{heading ?? sourceFile}</bdi>
              </button>
              <small class="block muted">
                {day(updatedAt)} ·{' '}
                {retrievals === 0 ? 'never retrieved' : `retrieved ${figure(retrievals)} times`}
              </small>
            </li>
          ))}
        </ul>
      </section>
      {note === undefined || note === '' ? (
        <p class="hint">Choose a note, or write a new one. Each is a file that you can commit.</p>
      ) : (
        <NoteEditor
          key={note}
          project={project}
          sourceFile={note === NEW ? undefined : note}
          onSaved={show}
          onDeleted={() => show('')}
        />
      )}
    </div>
  );
}

const NEW = 'new';
const MOST_NOTES = 200;

/** Of each note the first chunk, which has its title. */
function firstChunks<Entry extends { readonly sourceFile: string; readonly id: string }>(
  chunks: readonly Entry[],
): readonly Entry[] {
  return chunks.filter(({ id }) => id.endsWith('#0'));
}
