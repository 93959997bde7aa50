import { useState } from 'preact/hooks';
import { Choice } from '../shared/choice.js';
import { change, hrefOf } from '../shared/place.js';
import { count } from '../shared/text.js';
import {
  matchesFilter,
  type Note,
  type NoteFilter,
  stateOptions,
  tagOptions,
} from './note-filter.js';
import { NoteMarks } from './note-marks.js';

interface NoteListProps {
  readonly project: string;
  readonly notes: readonly Note[];
  readonly filter: NoteFilter;
  /** Source file or id of the note in the editor. */
  readonly open: string | undefined;
}

/** The notes that match a filter, newest first. */
export function NoteList({ project, notes, filter, open }: NoteListProps) {
  const [shown, setShown] = useState(SHOWN);
  const matching = notes.filter((note) => matchesFilter(note, filter));
  if (notes.length === 0) {
    return <p class="muted">None yet. Agents save them with the tool save_note.</p>;
  }
  return (
    <>
      <Filters notes={notes} filter={filter} />
      <p class="muted" role="status">
        {matching.length === notes.length
          ? count(notes.length, 'note')
          : `${matching.length} of ${count(notes.length, 'note')}`}
        {filter.text !== '' && (
          <>
            {' · '}
            <a href={textSearch(project, filter.text)}>search their texts</a>
          </>
        )}
      </p>
      <ul class="plain entries">
        {matching.slice(0, shown).map((note) => (
          <li key={note.sourceFile}>
            <button
              type="button"
              class="entry"
              aria-current={isOpen(note, open) ? 'true' : undefined}
              onClick={() => change({ note: note.sourceFile })}
              data-entry
            >
              <bdi class="clamped">{note.title}</bdi>
            </button>
            <NoteMarks project={project} note={note} />
          </li>
        ))}
      </ul>
      {matching.length > shown && (
        <button type="button" onClick={() => setShown(shown + 5 * SHOWN)}>
          Show more
        </button>
      )}
    </>
  );
}

const SHOWN = 40;

function Filters({ notes, filter }: Pick<NoteListProps, 'notes' | 'filter'>) {
  return (
    <search class="row">
      <label class="field wide">
        <span>Find</span>
        <input
          type="search"
          placeholder="Title, name or tag"
          value={filter.text}
          onInput={({ currentTarget }) => change({ find: currentTarget.value })}
          data-first-field
        />
      </label>
      <Choice label="Tag" name="tag" value={filter.tag} options={tagOptions(notes)} />
      <Choice label="State" name="state" value={filter.state} options={stateOptions(notes)} />
    </search>
  );
}

function isOpen({ sourceFile, id }: Note, open: string | undefined): boolean {
  return sourceFile === open || id === open;
}

function textSearch(project: string, q: string): string {
  return hrefOf({ page: 'search', fields: { project, q, types: 'manual' } });
}
