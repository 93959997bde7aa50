import { beforeEach, describe, expect, it } from 'vitest';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const FOLDER = '.knowledge/notes';

let world: CoreInMemory;
const notes = () => world.core.notes;

beforeEach(() => {
  world = coreInMemory();
});

describe.each([
  'locks',
  'locks.md',
  'notes/locks.md',
  `${FOLDER}/locks.md`,
  `${FOLDER}/locks.md#0`,
  `../${FOLDER}/locks.md:7`,
  'locks.md#12',
])('the id %s', (id) => {
  beforeEach(() => notes().addNote(P, { title: 'Locks', content: 'Writers wait.' }));

  it('names the note in every call', async () => {
    expect(await notes().getNote(P, id)).toMatchObject({ id: 'locks' });
    const note = { title: 'Locks', content: 'Nobody waits.' };
    expect(await notes().replaceNote(P, id, note)).toMatchObject({ id: 'locks' });
    expect(await notes().changeNote(P, id, { append: 'Ever.' })).toMatchObject({ id: 'locks' });
    const newer = { title: 'Pages', content: 'Four KiB.', supersedes: id };
    expect(await notes().addNote(P, newer)).toMatchObject({ id: 'pages' });
    expect(await notes().getNote(P, 'locks')).toMatchObject({ supersededBy: 'pages' });
    expect(await notes().deleteNote(P, id)).toBeGreaterThan(0);
    expect(world.ports.files.paths).toEqual([`${FOLDER}/pages.md`]);
  });
});

describe.each([
  ['My Note', 'My Note.md'],
  ['Café', 'Café.md'.normalize('NFD')],
  ['sub/deeper/x', 'sub/deeper/x.md'],
  ['Loud', 'Loud.MD'],
  ['Issue #1', 'Issue #1.md'],
  ['v1.2', 'v1.2.md'],
  ['con', 'con.md'],
])('the note "%s" that somebody put into the folder', (id, file) => {
  const path = `${FOLDER}/${file}`;

  beforeEach(async () => {
    world.ports.files.set(path, '# Title\n\nA quokka.\n');
    await world.core.store.readAllSources(P);
  });

  it('keeps its file through every change', async () => {
    const [listed] = await notes().listNotes(P);
    expect(listed).toMatchObject({ title: 'Title', sourceFile: path });
    expect(await notes().getNote(P, listed?.id ?? '')).toMatchObject({ sourceFile: path });
    expect(await notes().getNote(P, id)).toMatchObject({ content: 'A quokka.' });
    await notes().changeNote(P, id, { append: 'An okapi.' });
    await notes().replaceNote(P, `${path}#0`, { title: 'Title', content: 'A numbat.' });
    expect(world.ports.files.text(path)).toContain('A numbat.');
    await notes().addNote(P, { title: 'New', content: 'A quoll.', supersedes: id });
    expect(await notes().getNote(P, id)).toMatchObject({ supersededBy: 'new' });
    await notes().deleteNote(P, id);
    expect(world.ports.files.paths).toEqual([`${FOLDER}/new.md`]);
  });
});

describe('an id', () => {
  it.each([
    '../memory/db',
    'a/../../memory/db',
    '.hidden',
    'a/.b/c',
    '/memory/db',
    'a\\..\\..\\db',
    'x\0y',
  ])('leads nowhere else: %j', async (id) => {
    world.ports.files.set('.knowledge/memory/db.md', 'A quokka.');
    for (const call of [
      () => notes().deleteNote(P, id),
      () => notes().getNote(P, id),
      () => notes().replaceNote(P, id, { title: 'T', content: 'C' }),
    ]) {
      await expect(call()).rejects.toThrow(/^id must|no note with the id/);
    }
    expect(world.ports.files.text('.knowledge/memory/db.md')).toBe('A quokka.');
  });

  it.each(['con', 'a b', 'a'.repeat(65), 'x/y z'])('of a new note cannot be %j', async (id) => {
    const note = { title: 'T', content: 'C', id };
    await expect(notes().addNote(P, note)).rejects.toThrow(/^id must consist of letters/);
    expect(world.ports.files.paths).toEqual([]);
  });

  it.each([
    ['Größe', 'Größe'],
    ['Cafe\u0301', 'Café'],
    ['日本語', '日本語'],
    ['notes/x.md', 'x'],
  ])('of a new note may be %j', async (id, name) => {
    const saved = await notes().addNote(P, { title: 'T', content: 'C', id });
    expect(saved).toMatchObject({ id: name, sourceFile: `${FOLDER}/${name}.md` });
  });

  it('is taken in any letter case', async () => {
    await notes().addNote(P, { title: 'T', content: 'C', id: 'Locks' });
    const again = notes().addNote(P, { title: 'U', content: 'D', id: 'locks' });
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
  });
});
