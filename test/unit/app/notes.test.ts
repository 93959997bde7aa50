import { beforeEach, describe, expect, it } from 'vitest';
import { InMemoryData } from '../../../src/adapters/memory/in-memory-data.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { type CoreInMemory, coreInMemory, idsFound } from '../../support/core-in-memory.js';
import { pass } from '../../support/enrichment-world.js';
import { memoryStores } from '../../support/memory-stores.js';

const P = '/project';
const LOCKS = { title: 'Locks', content: 'Writers wait for readers in this mode.' };

let world: CoreInMemory;
const fileOf = (id: string) => `.knowledge/notes/${id}.md`;

beforeEach(() => {
  world = coreInMemory();
});

describe('a new note', () => {
  it('is a file, tidied, and found at once', async () => {
    const note = { ...LOCKS, title: ' Locks\nof it ', tags: ['db', ' db', 'ops'], importance: 0.9 };
    const { core, ports } = world;
    expect(await core.notes.addNote(P, note)).toEqual({
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
    const { core } = world;
    const ids = [];
    for (const content of ['First of all.', 'Quite another thing.', 'A third matter, unrelated.']) {
      ids.push((await core.notes.addNote(P, { title: 'Locks', content })) as object);
    }
    expect(ids).toMatchObject([{ id: 'locks' }, { id: 'locks-2' }, { id: 'locks-3' }]);
  });

  it('gets another name where somebody takes the first one meanwhile', async () => {
    const { core, ports } = world;
    const files = ports.files;
    const { createText } = files;
    files.createText = async (project, path, text) => {
      files.createText = createText;
      files.set(path, 'Of somebody else.');
      return createText.call(files, project, path, text);
    };
    expect(await core.notes.addNote(P, LOCKS)).toMatchObject({ id: 'locks-2' });
    expect(files.text(fileOf('locks'))).toBe('Of somebody else.');
  });

  it('may have an id of its own, once', async () => {
    const { core, ports } = world;
    expect(await core.notes.addNote(P, { ...LOCKS, id: 'mine' })).toMatchObject({ id: 'mine' });
    const again = core.notes.addNote(P, { title: 'Quite', content: 'different', id: 'mine' });
    await expect(again).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('"mine"'),
    });
    expect(ports.files.text(fileOf('mine'))).toContain('# Locks');
  });
});

describe('a note that is there', () => {
  beforeEach(async () => {
    await world.core.notes.addNote(P, LOCKS);
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
    const [clock, data] = [new FixedClock(), new InMemoryData()];
    world = coreInMemory({ clock, stores: memoryStores({ clock, data }) });
    await world.core.notes.addNote(P, LOCKS);
    const { leases } = await memoryStores({ clock, data }).open(P);
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
  ['tags', { tags: Array.from({ length: 65 }, (_, number) => `t${number}`) }],
  ['tags', { tags: ['a'.repeat(101)] }],
])('a note with a wrong %s is refused', async (name, wrong) => {
  const added = world.core.notes.addNote(P, { ...LOCKS, ...wrong });
  await expect(added).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(new RegExp(`^${name} must `)),
  });
  expect(world.ports.files.paths).toEqual([]);
});

it('a note may be as long as the limits say', async () => {
  const tags = Array.from({ length: 64 }, (_, number) => `${number}`.padStart(100, 't'));
  const note = { title: 'a'.repeat(1000), content: 'word '.repeat(200_000), tags };
  expect(await world.core.notes.addNote(P, note)).toHaveProperty('id');
});
