import { DEFAULT_APP_DIR, savedFileAt, savedPath } from '../project-layout.js';

/**
 * The note names that a text may mean, most literal first: people and agents give a note's name, its file as shown in
 * results, with or without a line, or a chunk id.
 */
export function noteNames(given: string): readonly string[] {
  const path = given.trim().replaceAll('\\', '/');
  const file = path.replace(/(?<=\.md)(?:#\d{1,9}|:\d{1,9}(?:-\d{1,9})?)$/i, '');
  const below = belowNotes(file);
  const names = [given, path, path.replace(/\.md$/, ''), file.replace(/\.md$/, ''), below];
  return [...new Set([...names, below.replace(/\.md$/, '')])].filter(isNoteName);
}

function belowNotes(path: string): string {
  const start = `/${path}`.indexOf('/notes/');
  return start === -1 ? path : path.slice(start + 'notes/'.length);
}

/** Whether a text can name a note. */
export function isNoteReference(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= REFERENCE_MAX_CHARACTERS &&
    noteNames(value).length > 0
  );
}

const REFERENCE_MAX_CHARACTERS = 1000;

export const NOTE_REFERENCE_RULE = 'must be the id or file of a note, or the id of a chunk';

/** The keys for finding a note whose file has another spelling or extension. */
export function nameKeys(name: string): readonly string[] {
  const composed = name.normalize('NFC');
  return [composed, composed.replace(/\.md$/i, '')];
}

/** The name of a note by its source file. */
export function noteName(sourceFile: string): string {
  return sourceFile.split('/').slice(2).join('/').replace(/\.md$/, '');
}

/** Whether a note can have this name: it must lead to a file in the notes folder that is not hidden. */
export function isNoteName(name: string): boolean {
  const path = savedPath(DEFAULT_APP_DIR, { sourceType: 'manual', name });
  return !/[\p{Cc}\\]/u.test(name) && savedFileAt(DEFAULT_APP_DIR, path)?.name === name;
}
