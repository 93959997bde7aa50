import { beforeEach, describe, expect, it } from 'vitest';
import {
  checkVersion,
  findNoteName,
  readNote,
  requireNote,
  requireNoteName,
  supersededFiles,
} from '../../../src/app/saved/note-files.js';
import type { SavedFiles } from '../../../src/app/saved/saved-files.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';
import { savedFilesIn } from '../../support/saved-files.js';

const PROJECT = { path: '/project' };
const MISSING = {
  code: 'not_found',
  message: 'There is no note with the id "none". Searches and the list of notes show the ids.',
};

let files: InMemoryProjectFiles;
let saved: SavedFiles;

beforeEach(() => {
  files = new InMemoryProjectFiles();
  saved = savedFilesIn(files);
});

describe('the name of a note', () => {
  const [composed, decomposed] = ['Café', 'Café'.normalize('NFD')];

  it.each([
    ['is as given if there is such a file', [composed, decomposed], composed, composed],
    ['is that of the file in this spelling', [composed, decomposed], decomposed, decomposed],
    ['may have another spelling', [decomposed], composed, decomposed],
    ['may have another ending', ['Loud.MD'], 'notes/Loud.md', 'Loud.MD'],
    ['is the first that matches', [`${decomposed}.MD`, decomposed], composed, `${decomposed}.MD`],
    ['is unknown without a file', ['a'], 'b', undefined],
  ])('%s', async (_, names, given, expected) => {
    for (const name of names) files.set(saved.toPath(PROJECT, { sourceType: 'manual', name }), 'x');
    expect(await findNoteName(saved, PROJECT, given)).toBe(expected);
  });

  it('is looked up in the list of notes only if there is no such file', async () => {
    files.set('.knowledge/notes/locks.md', 'Text.');
    files.listBelow = () => Promise.reject(new Error('no'));
    expect(await findNoteName(saved, PROJECT, 'locks')).toBe('locks');
    await expect(findNoteName(saved, PROJECT, 'none')).rejects.toThrow('no');
  });

  it('is required for a change', async () => {
    await expect(requireNoteName(saved, PROJECT, 'none')).rejects.toMatchObject(MISSING);
  });
});

describe('a note', () => {
  it('is read with its text and its version', async () => {
    const text = '# Locks\n\nWriters wait.\n';
    files.set('.knowledge/notes/locks.md', text);
    expect(await readNote(saved, PROJECT, 'locks')).toMatchObject({
      title: 'Locks',
      content: 'Writers wait.',
      updated: '1970-01-01T00:00:01.000Z',
      fileVersion: '1',
      text,
    });
  });

  it('that is deleted while it is read does not exist', async () => {
    files.set('.knowledge/notes/locks.md', 'Text.');
    files.onRead = (path) => files.delete(path);
    expect(await readNote(saved, PROJECT, 'locks')).toBeUndefined();
    files.set('.knowledge/notes/locks.md', 'Text.');
    files.statOf = async () => undefined;
    files.onRead = () => {};
    expect(await readNote(saved, PROJECT, 'locks')).toBeUndefined();
  });

  it('that cannot be changed is missing or may not be read', async () => {
    await expect(requireNote(saved, PROJECT, 'none')).rejects.toMatchObject(MISSING);
    files.set('.knowledge/notes/locks.md', 'Text.');
    files.refuse('.knowledge/notes/locks.md', 'it is a link');
    await expect(requireNote(saved, PROJECT, 'locks')).rejects.toMatchObject({
      code: 'path_not_allowed',
      message:
        'The note "locks" cannot be changed: its file is a link out of the project, or too large to read.',
    });
  });
});

it.each([
  ['locks', ['.knowledge/notes/locks.md']],
  [undefined, []],
  [7, []],
])('the files that a note supersedes with %j are %j', (supersedes, expected) => {
  expect(supersededFiles(saved, PROJECT, supersedes)).toEqual(expected);
});

it('a note in another version is refused with the current one', () => {
  const note = { version: 'v2', title: 'Locks', content: 'Text.', updated: '' };
  for (const ifVersion of [undefined, 'v2']) checkVersion(note, { id: 'locks', ifVersion });
  expect(() => checkVersion(note, { id: 'locks', ifVersion: 'v\n1' })).toThrow(
    expect.objectContaining({
      code: 'changed',
      message:
        'The note "locks" has changed since version v 1: read it again, then send version v2.',
      current: { version: 'v2', title: 'Locks', content: 'Text.' },
    }),
  );
});
