import { checksumOf } from '../chunks/text.js';
import { NOTE_ID_MAX_CHARACTERS } from '../limits.js';
import { freeName } from './free-name.js';

/** What the id of a note must match; it is the name of its file. */
const NOTE_ID_PATTERN = /^[a-z0-9][a-z0-9_-]*$/;
export const NOTE_ID_RULE = `must begin with a lower-case letter or a digit, followed by more of them, "_" or "-", ${NOTE_ID_MAX_CHARACTERS} characters at most`;

export function isNoteId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= NOTE_ID_MAX_CHARACTERS && NOTE_ID_PATTERN.test(id);
}

/**
 * An id from the Latin letters and digits of a title that none of the taken names has, regardless of case. A title
 * without any has an id of its own all the same.
 */
export function noteIdFor(title: string, taken: readonly string[]): string {
  return freeName(slugOf(title), taken, NOTE_ID_MAX_CHARACTERS);
}

function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NOTE_ID_MAX_CHARACTERS + 1)
    .replace(/^-|-$/g, '');
  return slug === '' ? `note-${checksumOf(title).toString(16).padStart(8, '0')}` : slug;
}
