import { Confirmed } from '../shared/confirmed.js';
import { EditorLink } from '../shared/editor-link.js';
import { Failure } from '../shared/parts.js';
import { minute } from '../shared/text.js';
import { useUnsaved } from '../shared/unsaved.js';
import { ConflictView } from './conflict.js';
import type { Draft, FullNote } from './draft.js';
import { NoteMarks } from './note-marks.js';
import { SavedReport } from './saved-report.js';
import { type SavedNote, useNoteDraft } from './saving.js';
import { Writing } from './writing.js';

export interface NoteFormProps {
  readonly project: string;
  /** The value in the address that names the note. */
  readonly place: string;
  /** Absent for a note that does not exist yet. */
  readonly note: FullNote | undefined;
  /** The response to the last save, if it saved this note. */
  readonly saved: SavedNote | undefined;
  readonly onSaved: (saved: SavedNote) => void;
  readonly onDeleted: () => void;
}

export function NoteForm({ project, place, note, saved, onSaved, onDeleted }: NoteFormProps) {
  const edited = useNoteDraft({ project, note, onSaved, onDeleted });
  const { base, draft, conflict, saving, deleting, isUnsaved, type } = edited;
  useUnsaved(isUnsaved, ({ page, fields }) => {
    const isHere = fields['project'] === undefined || fields['project'] === project;
    return page === 'notes' && isHere && fields['note'] === place;
  });
  const save = (event: Event) => {
    event.preventDefault();
    void saving.run();
  };
  const missing = missingFields(draft);
  return (
    <form class="panel stack note" onSubmit={save}>
      <header class="stack">
        <h2>
          <bdi>{note?.id ?? 'New note'}</bdi>
        </h2>
        {base && <Origin project={project} note={base} />}
      </header>
      {conflict && (
        <ConflictView conflict={conflict} draft={draft} onTake={type} onSettle={edited.settle} />
      )}
      <Writing draft={draft} mustExpire={base?.expires !== undefined} onType={type} />
      <Failure error={saving.error ?? deleting.error} />
      {saved && !isUnsaved && !conflict && <SavedReport project={project} saved={saved} />}
      <div class="row">
        <button
          type="submit"
          class="strong"
          disabled={missing !== undefined || !isUnsaved || saving.isRunning}
          aria-describedby="save-state"
        >
          {conflict ? 'Save mine' : 'Save'}
        </button>
        <span class="muted" id="save-state">
          {saveState(isUnsaved, missing)}
        </span>
        {base !== undefined && (
          <Confirmed
            action="Delete the note"
            consequence={`The note "${base.title}" and its file will be deleted, and searches will no longer find it.`}
            disabled={deleting.isRunning}
            onConfirm={deleting.run}
          />
        )}
      </div>
    </form>
  );
}

/** Names the required fields that are empty; undefined if there are none. */
function missingFields({ title, content }: Draft): string | undefined {
  const missing = [
    ...(title.trim() === '' ? ['a title'] : []),
    ...(content.trim() === '' ? ['a text'] : []),
  ];
  return missing.length === 0 ? undefined : missing.join(' and ');
}

/** Says whether the draft is saved, and what it lacks to be saved. */
function saveState(isUnsaved: boolean, missing: string | undefined): string {
  if (missing === undefined) return isUnsaved ? 'Not saved yet' : 'Nothing changed';
  return isUnsaved ? `Not saved yet: needs ${missing}` : `Needs ${missing}`;
}

/** Shows the file of a note, and when, by whom and in which session it was written. */
function Origin({ project, note }: { readonly project: string; readonly note: FullNote }) {
  const { created, author, session } = note;
  return (
    <>
      <NoteMarks project={project} note={note} />
      <p class="meta">
        <EditorLink project={project} file={note.sourceFile} />
        {created && <span>written {minute(created)}</span>}
        {author && (
          <span>
            by <bdi>{author}</bdi>
          </span>
        )}
        {session && (
          <span>
            in session <bdi class="path">{session}</bdi>
          </span>
        )}
      </p>
    </>
  );
}
