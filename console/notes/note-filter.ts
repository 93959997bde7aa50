import type { Answer } from '../shared/api.js';
import type { Fields } from '../shared/place.js';

export type Note = Answer<'GET /api/knowledge/x/notes'>['notes'][number];

/** Which notes to list, as kept in the address. */
export interface NoteFilter {
  /** Every word of this must occur in the title, the name or the tags. */
  readonly text: string;
  readonly tag: string;
  readonly state: string;
}

export function noteFilter({ find = '', tag = '', state = '' }: Fields): NoteFilter {
  return { text: find, tag, state };
}

export function matchesFilter(note: Note, { text, tag, state }: NoteFilter): boolean {
  const named = [note.title, note.id, ...(note.tags ?? [])].join('\n').toLowerCase();
  return (
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => named.includes(word)) &&
    (tag === '' || note.tags?.includes(tag) === true) &&
    (STATES.get(state)?.applies(note) ?? true)
  );
}

/** Whether a note has expired: searches leave it out from its expiry date on. */
export function hasExpired({ expires }: { readonly expires?: string | undefined }): boolean {
  return expires !== undefined && expires <= new Date().toISOString().slice(0, 10);
}

interface NoteState {
  readonly name: string;
  readonly applies: (note: Note) => boolean;
}

const STATES: ReadonlyMap<string, NoteState> = new Map<string, NoteState>([
  ['stale', { name: 'stale', applies: ({ stale }) => stale === true }],
  ['replaced', { name: 'replaced', applies: ({ supersededBy }) => supersededBy !== undefined }],
  ['expired', { name: 'expired', applies: hasExpired }],
  ['expires', { name: 'with an expiry date', applies: ({ expires }) => expires !== undefined }],
]);

/** The options of a filter, with the number of notes that match each. */
export function tagOptions(notes: readonly Note[]): readonly (readonly [string, string])[] {
  const counts = new Map<string, number>();
  for (const { tags = [] } of notes) {
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return [['', 'all'], ...sorted.map(([tag, count]) => [tag, `${tag} (${count})`] as const)];
}

export function stateOptions(notes: readonly Note[]): readonly (readonly [string, string])[] {
  const states = [...STATES].map(
    ([key, { name, applies }]) => [key, `${name} (${notes.filter(applies).length})`] as const,
  );
  return [['', 'all'], ...states];
}
