import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import type { PageProps } from '../shared/page-props.js';
import { Failure } from '../shared/parts.js';
import { change } from '../shared/place.js';
import { NoteEditor } from './note-editor.js';
import { noteFilter } from './note-filter.js';
import { NoteList } from './note-list.js';
import type { SavedNote } from './saving.js';

/** Lists the notes of agents and people, newest first, and opens them in an editor. */
export function NotesPage({ project, fields }: PageProps) {
  const { note = '' } = fields;
  const [saved, setSaved] = useState<SavedNote>();
  const notes = useLoad({
    key: project,
    load: (signal) => call('GET /api/knowledge/x/notes', { projectPath: project }, signal),
  });
  const showSaved = (report: SavedNote) => {
    setSaved(report);
    notes.again();
    if (note === NEW) change({ note: report.sourceFile });
  };
  const showNone = () => {
    notes.again();
    change({ note: '' });
  };
  return (
    <div class="page split notes" data-open={note !== ''}>
      <h1 class="unseen">Notes</h1>
      <section class="panel list" aria-labelledby="notes-title">
        <div class="row">
          <h2 id="notes-title">Notes</h2>
          <button type="button" class="strong" onClick={() => change({ note: NEW })}>
            New note
          </button>
        </div>
        <Failure error={notes.error} />
        {notes.data && (
          <NoteList
            project={project}
            notes={notes.data.notes}
            filter={noteFilter(fields)}
            open={note}
          />
        )}
      </section>
      {note === '' ? (
        <p class="hint">Choose a note, or write a new one. Each is a file that you can commit.</p>
      ) : (
        <Opened key={note}>
          <NoteEditor
            project={project}
            place={note}
            sourceFile={note === NEW ? undefined : note}
            saved={[saved?.sourceFile, saved?.id].includes(note) ? saved : undefined}
            onSaved={showSaved}
            onDeleted={showNone}
          />
        </Opened>
      )}
    </div>
  );
}

const NEW = 'new';

/** An open note. On narrow screens, where it replaces the list, scrolls to its top. */
function Opened({ children }: { readonly children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (current === null || getComputedStyle(current).getPropertyValue('--alone') === '') return;
    scrollTo(0, 0);
    current.focus();
  }, []);
  return (
    <div class="opened stack" ref={place} tabIndex={-1}>
      <button type="button" class="back" onClick={() => change({ note: '' })}>
        ← All notes
      </button>
      {children}
    </div>
  );
}
