import { beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const LOCKS = { title: 'Locks', content: 'Writers wait for readers.' };
const FILE = '.knowledge/notes/locks.md';

let world: CoreInMemory;
let clock: FixedClock;
const notes = () => world.core.notes;

beforeEach(() => {
  clock = new FixedClock();
  world = coreInMemory({ clock });
});

describe('the version of a note', () => {
  it('is the same in every answer, until its file changes', async () => {
    const { version } = (await notes().addNote(P, LOCKS)) as { version: string };
    expect(version).toMatch(/^[0-9a-f]{16}$/);
    const [listed] = await notes().listNotes(P);
    expect([listed?.version, (await notes().getNote(P, 'locks')).version]).toEqual([
      version,
      version,
    ]);
    world.ports.files.set(FILE, '# Locks\n\nBy hand.\n');
    expect((await notes().getNote(P, 'locks')).version).not.toBe(version);
  });

  it('is shown by searches for people and agents, with the time of the last change', async () => {
    const { version } = (await notes().addNote(P, LOCKS)) as { version: string };
    const request = { projectPath: P, query: 'writers' };
    const updated = clock.now().toISOString();
    const { results } = await world.useCases.search.read(request);
    expect(results).toMatchObject([{ version, updated }]);
    const [specified] = (await world.useCases.search.answer(request)).results;
    expect(specified).not.toHaveProperty('version');
  });

  it('allows a change only while the note still has it', async () => {
    const { version } = (await notes().addNote(P, LOCKS)) as { version: string };
    const next = { ...LOCKS, content: 'Ten seconds.', ifVersion: version };
    const replaced = await notes().replaceNote(P, 'locks', next);
    expect(await notes().getNote(P, 'locks')).toMatchObject({ version: replaced.version });
    const current = { version: replaced.version, title: 'Locks', content: 'Ten seconds.' };
    await expect(notes().replaceNote(P, 'locks', next)).rejects.toMatchObject({
      code: 'changed',
      current,
    });
    await expect(notes().deleteNote(P, 'locks', { ifVersion: version })).rejects.toMatchObject({
      code: 'changed',
      current,
    });
    expect(await notes().deleteNote(P, 'locks', { ifVersion: replaced.version })).toBe(1);
  });

  it('does not delete a note that has become too large to be read', async () => {
    const { version } = (await notes().addNote(P, LOCKS)) as { version: string };
    world.ports.files.refuse(FILE, 'it is larger than 2 MB');
    const deletion = notes().deleteNote(P, 'locks', { ifVersion: version });
    await expect(deletion).rejects.toMatchObject({ code: 'path_not_allowed' });
    expect(world.ports.files.paths).toContain(FILE);
  });

  it.each([
    ['a line more', '# Locks\n\nWriters wait for readers.\n\nA person adds this.\n'],
    ['another title', '# Latches\n\nWriters wait for readers.\n'],
    ['no title at all', 'Only this.\n'],
  ])('tells of a person who edits the file: %s', async (_, text) => {
    const { version } = (await notes().addNote(P, LOCKS)) as { version: string };
    world.ports.files.set(FILE, text);
    const change = notes().replaceNote(P, 'locks', { ...LOCKS, ifVersion: version });
    await expect(change).rejects.toMatchObject({
      current: { content: expect.stringMatching(/adds this|Writers|Only this/) },
    });
    expect(world.ports.files.text(FILE)).toBe(text);
  });
});

describe('the file of a note', () => {
  it('keeps its author and time of creation', async () => {
    await notes().addNote(P, { ...LOCKS, author: 'ada', session: 's-1' });
    const created = clock.now().toISOString();
    clock.advance(90_000_000);
    await notes().replaceNote(P, 'locks', { ...LOCKS, content: 'Other.', expires: '2027-01-31' });
    const updated = clock.now().toISOString();
    expect(await notes().getNote(P, 'locks')).toEqual({
      id: 'locks',
      sourceFile: FILE,
      title: 'Locks',
      content: 'Other.',
      importance: 0.5,
      created,
      updated,
      author: 'ada',
      session: 's-1',
      expires: '2027-01-31',
      scope: 'project',
      version: expect.any(String),
    });
  });

  it('keeps omitted tags, importance and expiry on request', async () => {
    const properties = { tags: ['db'], importance: 0.9, expires: '2027-01-31' };
    const replaced = { projectPath: P, id: 'locks', title: 'Locks', content: 'Other.' };
    await notes().addNote(P, { ...LOCKS, ...properties });
    await world.useCases.notes.change({ ...replaced, importance: 0.2 });
    const kept = { content: 'Other.', ...properties, importance: 0.2 };
    expect(await notes().getNote(P, 'locks')).toMatchObject(kept);
    await world.useCases.notes.replace(replaced);
    const bare = await notes().getNote(P, 'locks');
    expect(bare).toMatchObject({ importance: 0.5 });
    expect(bare).not.toMatchObject({ tags: expect.anything() });
    expect(bare).not.toMatchObject({ expires: expect.anything() });
  });

  it('says nothing of times if a person wrote it, who may use another spelling', async () => {
    world.ports.files.set('.knowledge/notes/plain.md', 'Text alone.\n');
    world.ports.files.set(
      '.knowledge/notes/dated.md',
      '---\ncreated: 2024-02-03\nexpires: 2024-02-30\ntags: db\n---\n# Dated #\nText.\n',
    );
    const [dated, plain] = (await notes().listNotes(P)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(dated).toMatchObject({ title: 'Dated', created: '2024-02-03', tags: ['db'] });
    expect(dated).not.toHaveProperty('expires');
    expect(plain).toMatchObject({ title: 'plain', updated: expect.stringMatching(/Z$/) });
    expect(plain).not.toHaveProperty('created');
  });
});

describe('the list of notes', () => {
  it('begins with the newest, and shows what replaces a note', async () => {
    await notes().addNote(P, LOCKS);
    clock.advance(1000);
    await notes().addNote(P, { title: 'Pages', content: 'Four KiB.', supersedes: 'locks' });
    expect(await notes().listNotes(P)).toMatchObject([
      { id: 'pages' },
      { id: 'locks', supersededBy: 'pages' },
    ]);
  });

  it('is empty, and creates nothing, without notes', async () => {
    expect(await notes().listNotes(P)).toEqual([]);
    await expect(notes().getNote(P, 'locks')).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('returns what was written, even if the lease cannot be released', async () => {
  const { store } = await world.core.projects.open(P);
  const { acquire } = store.upkeep;
  store.upkeep.acquire = (name, ms) =>
    ms === 0 ? Promise.reject(new Error('busy')) : acquire.call(store.upkeep, name, ms);
  expect(await notes().addNote(P, LOCKS)).toMatchObject({ id: 'locks' });
});
