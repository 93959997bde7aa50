import { hrefOf } from '../shared/place.js';
import { age, minute } from '../shared/text.js';
import type { Note } from './note-filter.js';
import { hasExpired } from './note-filter.js';

interface NoteMarksProps {
  readonly project: string;
  readonly note: Note;
}

/** Shows the age and tags of a note, and whether it is stale, replaced or expired. */
export function NoteMarks({ project, note }: NoteMarksProps) {
  const { updated, tags = [], stale, supersededBy, expires } = note;
  return (
    <span class="meta">
      <time dateTime={updated} title={minute(updated)}>
        {age(updated)}
      </time>
      {tags.map((tag) => (
        <bdi key={tag} class="tag">
          {tag}
        </bdi>
      ))}
      {stale && <strong class="mark">stale: cites changed files</strong>}
      {supersededBy !== undefined && (
        <span class="mark">
          replaced by{' '}
          <a href={hrefOf({ page: 'notes', fields: { project, note: supersededBy } })}>
            <bdi>{supersededBy}</bdi>
          </a>
        </span>
      )}
      {expires !== undefined && (
        <span class={hasExpired(note) ? 'mark' : undefined}>
          {hasExpired(note) ? 'expired' : 'expires'} <time dateTime={expires}>{expires}</time>
        </span>
      )}
    </span>
  );
}
