import { DEFAULT_APP_DIR, savedFileAt, savedPath } from '../project-layout.js';

/**
 * The names of notes that a text may mean, the most literal first: people and agents give the name of a note, its file
 * as results show it, with or without a line, and the id of a chunk.
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

export const NOTE_REFERENCE_RULE = 'must be the id of a note, its file or the id of a chunk';

/** The keys by which a name is found in the spelling and with the ending of its file. */
export function nameKeys(name: string): readonly string[] {
  const composed = name.normalize('NFC');
  return [composed, composed.replace(/\.md$/i, '')];
}

/** The name of a note by its source file. */
export function noteName(sourceFile: string): string {
  return sourceFile.split('/').slice(2).join('/').replace(/\.md$/, '');
}

/** Whether a note can have this name: it leads to a file below the folder of notes that is not hidden. */
export function isNoteName(name: string): boolean {
  const path = savedPath(DEFAULT_APP_DIR, { sourceType: 'manual', name });
  return !/[\p{Cc}\\]/u.test(name) && savedFileAt(DEFAULT_APP_DIR, path)?.name === name;
}
