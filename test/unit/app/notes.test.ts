import { beforeEach, describe, expect, it } from 'vitest';
import type { NewNote } from '../../../src/ports/driving/notes-service.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { type CoreInMemory, coreInMemory, idsFound } from '../../support/core-in-memory.js';
import { pass } from '../../support/enrichment-world.js';
import { memoryStores, SharedDatabases } from '../../support/memory-stores.js';

const P = '/project';
const LOCKS = { title: 'Locks', content: 'Writers wait for readers in this mode.' };

const WAITING = {
  title: 'Waiting',
  content: '## Readers\nNobody waits for any of them.\n\n## Writers\nOne after the other.',
};

let world: CoreInMemory;
const add = (note: NewNote) => world.core.notes.addNote(P, note);
const fileOf = (id: string) => `.knowledge/notes/${id}.md`;

beforeEach(() => {
  world = coreInMemory();
});

describe('a new note', () => {
  it('is a file, tidied, and found at once', async () => {
    const note = { ...LOCKS, title: ' Locks\nof it ', tags: ['db', ' db', 'ops'], importance: 0.9 };
    const { ports } = world;
    expect(await add(note)).toEqual({
      id: 'locks-of-it',
      sourceFile: fileOf('locks-of-it'),
      chunks: 1,
    });
    expect(ports.files.text(fileOf('locks-of-it'))).toBe(
      `---\ntags: ["db","ops"]\nimportance: 0.9\n---\n# Locks of it\n\n${LOCKS.content}\n`,
    );
    expect(await idsFound(world, 'writers')).toEqual([`${fileOf('locks-of-it')}#0`]);
  });

  it('gets the next free name from its title', async () => {
    const ids = [];
    for (const content of ['First of all.', 'Quite another thing.', 'A third matter, unrelated.']) {
      ids.push((await add({ title: 'Locks', content })) as object);
    }
    expect(ids).toMatchObject([{ id: 'locks' }, { id: 'locks-2' }, { id: 'locks-3' }]);
  });

  it('gets another name where somebody takes the first one meanwhile', async () => {
    const { ports } = world;
    const files = ports.files;
    const { createText } = files;
    files.createText = async (project, path, text) => {
      files.createText = createText;
      files.set(path, 'Of somebody else.');
      return createText.call(files, project, path, text);
    };
    expect(await add(LOCKS)).toMatchObject({ id: 'locks-2' });
    expect(files.text(fileOf('locks'))).toBe('Of somebody else.');
  });

  it('is not left behind if it cannot be indexed', async () => {
    const { store } = await world.core.projects.open(P);
    store.chunks.replaceSources = () => Promise.reject(new Error('no space'));
    await expect(add(LOCKS)).rejects.toThrow('no space');
    expect(world.ports.files.paths).toEqual([]);
  });

  it('may have an id of its own, once', async () => {
    const { ports } = world;
    expect(await add({ ...LOCKS, id: 'mine' })).toMatchObject({ id: 'mine' });
    const again = add({ title: 'Quite', content: 'different', id: 'mine' });
    await expect(again).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('"mine"'),
    });
    expect(ports.files.text(fileOf('mine'))).toContain('# Locks');
  });
});

describe('a note that is there', () => {
  beforeEach(async () => {
    await add(LOCKS);
  });

  it('is replaced with its chunks', async () => {
    const note = { title: 'Pages', content: '## A\nFour KiB.\n\n## B\nOr more.' };
    expect(await world.core.notes.replaceNote(P, 'locks', note)).toEqual({
      id: 'locks',
      sourceFile: fileOf('locks'),
      chunks: 2,
    });
    expect([await idsFound(world, 'writers'), await idsFound(world, 'kib')]).toEqual([
      [],
      [`${fileOf('locks')}#0`],
    ]);
  });

  it('is deleted with its chunks', async () => {
    expect(await world.core.notes.deleteNote(P, 'locks')).toBe(1);
    expect(world.ports.files.paths).toEqual([]);
    expect(await idsFound(world, 'writers')).toEqual([]);
  });

  it('waits for another process that changes notes, but not for ever', async () => {
    const [clock, data] = [new FixedClock(), new SharedDatabases()];
    world = coreInMemory({ clock, stores: memoryStores({ clock, databases: data }) });
    await add(LOCKS);
    const { leases } = await memoryStores({ clock, databases: data }).open(P);
    const refused = expect(world.core.notes.deleteNote(P, 'locks')).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('changing the notes of'),
    });
    for (let passed = 0; passed < 20_000; passed += 5000) {
      await leases.acquire('notes', 10_000);
      await pass(clock, 5000);
    }
    await refused;
    await leases.release('notes');
    expect(await world.core.notes.deleteNote(P, 'locks')).toBe(1);
  });
});

describe('a note that says what is known', () => {
  it('is not added, and names the chunk', async () => {
    await add({ ...LOCKS, title: 'How locks work' });
    const same = { title: 'How  locks work', content: LOCKS.content.toUpperCase() };
    const duplicateOf = `${fileOf('how-locks-work')}#0`;
    expect(await add(same)).toEqual({ duplicateOf });
    expect(world.ports.files.paths).toEqual([fileOf('how-locks-work')]);
  });

  it('is added if that is what the caller wants', async () => {
    await add(LOCKS);
    expect(await add({ ...LOCKS, force: true })).toMatchObject({
      id: 'locks-2',
    });
    expect(await add({ ...LOCKS, force: false })).toHaveProperty('duplicateOf');
  });

  it('is recognized where the other note has several chunks', async () => {
    const first = await add(WAITING);
    expect(first).toMatchObject({ chunks: 2 });
    const again = await add(WAITING);
    expect(again).toMatchObject({ duplicateOf: expect.stringContaining(fileOf('waiting')) });
    const part = await add({
      title: 'Readers',
      content: 'Nobody waits for any of them.',
    });
    expect(part).toEqual({ duplicateOf: `${fileOf('waiting')}#0` });
  });

  it('is recognized as one of the lessons of a category', async () => {
    world.ports.files.set(
      '.knowledge/memory/db.md',
      '### Locks (2026-01-01)\n- **Learned:** Writers wait for every reader in this mode.\n\n### Checkpoints (2026-01-02)\n- **Learned:** Readers never do them.\n',
    );
    await world.core.store.readAllSources(P);
    const note = { title: 'Checkpoints', content: 'Readers never do them.' };
    expect(await add(note)).toMatchObject({
      duplicateOf: expect.stringContaining('memory/db.md'),
    });
  });

  it('is added where the other note has gone or may not be read', async () => {
    await add(WAITING);
    world.ports.files.refuse(fileOf('waiting'), 'no permission');
    const again = await add(WAITING);
    expect(again).toMatchObject({ id: 'waiting-2' });
  });

  it('is not compared as a whole with the files of the project', async () => {
    world.ports.files.set('docs/waiting.md', `# Waiting\n\n${WAITING.content}\n`);
    await world.core.store.readAllSources(P);
    world.ports.files.reads.length = 0;
    expect(await add(WAITING)).toHaveProperty('id');
    expect(world.ports.files.reads).not.toContain('docs/waiting.md');
  });

  it('is added once by two calls at the same time', async () => {
    const calls = [1, 2].map(() => add(LOCKS));
    expect((await Promise.all(calls)).map((saved) => 'duplicateOf' in saved)).toEqual([
      false,
      true,
    ]);
  });
});

it.each(['replaced', 'deleted'])('a note that does not exist is not %s', async (how) => {
  const { notes } = world.core;
  const call =
    how === 'replaced' ? notes.replaceNote(P, 'none', LOCKS) : notes.deleteNote(P, 'none');
  await expect(call).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('"none"'),
  });
  expect(world.ports.files.paths).toEqual([]);
});

it.each([
  ['title', { title: ' \n ' }],
  ['title', { title: 'a'.repeat(1001) }],
  ['content', { content: ' ' }],
  ['content', { content: 'a'.repeat(1_000_001) }],
])('a note with a wrong %s is refused', async (name, wrong) => {
  await expect(add({ ...LOCKS, ...wrong })).rejects.toThrow(new RegExp(`^${name} must `));
  expect(world.ports.files.paths).toEqual([]);
});

it('a note may be as long as the limits say', async () => {
  const tags = Array.from({ length: 64 }, (_, number) => `${number}`.padStart(100, 't'));
  const note = { title: 'a'.repeat(1000), content: 'word '.repeat(200_000), tags };
  expect(await add(note)).toHaveProperty('id');
});
