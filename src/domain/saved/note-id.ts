import { NOTE_ID_MAX_CHARACTERS } from '../limits.js';

/** What the id of a note must match; it is the name of its file. */
export const NOTE_ID_PATTERN = /^[a-z0-9][a-z0-9_-]*$/;
export const NOTE_ID_RULE = `must begin with a lower-case letter or a digit, followed by more of them, "_" or "-", ${NOTE_ID_MAX_CHARACTERS} characters at most`;

export function isNoteId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= NOTE_ID_MAX_CHARACTERS && NOTE_ID_PATTERN.test(id);
}

/** An id from the letters of a title that none of the taken names has, regardless of case. */
export function noteIdFor(title: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  const slug = slugOf(title);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const id = `${slug.slice(0, NOTE_ID_MAX_CHARACTERS - suffix.length)}${suffix}`;
    if (!names.has(id)) return id;
  }
}

/** For a title without a Latin letter or a digit. */
const DEFAULT_ID = 'note';

function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NOTE_ID_MAX_CHARACTERS + 1)
    .replace(/^-|-$/g, '');
  return slug === '' ? DEFAULT_ID : slug;
}
