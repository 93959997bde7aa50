import { beforeEach, describe, expect, it } from 'vitest';
import type { Leases } from '../../../src/ports/project-stores.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { type CoreInMemory, coreInMemory, idsFound } from '../../support/core-in-memory.js';
import { pass } from '../../support/enrichment-world.js';
import { memoryStores, SharedDatabases } from '../../support/sqlite-stores.js';

const P = '/project';
const LOCKS = { title: 'Locks', content: 'Writers wait for readers in this mode.' };

const WAITING = {
  title: 'Waiting',
  content: '## Readers\nNobody waits for any of them.\n\n## Writers\nOne after the other.',
};

let world: CoreInMemory;
const add = (note: Parameters<typeof world.core.notes.addNote>[1]) =>
  world.core.notes.addNote(P, note);
const fileOf = (id: string) => `.knowledge/notes/${id}.md`;

/** The text of a file without the times in its frontmatter, and without frontmatter that has nothing else. */
const withoutTimes = (text = '') =>
  text.replace(/^(?:created|updated): .*\n/gm, '').replace(/^---\n---\n(?=# )/, '');

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
      version: expect.any(String),
    });
    expect(withoutTimes(ports.files.text(fileOf('locks-of-it')))).toBe(
      `---\ntags: ["db","ops"]\nimportance: 0.9\n---\n# Locks of it\n\n${LOCKS.content}\n`,
    );
    const [found] = (await world.core.store.search(P, 'writers')).results;
    const text = { heading: 'Locks of it', content: LOCKS.content, importance: 0.9 };
    expect(found?.chunk).toMatchObject({ id: `${fileOf('locks-of-it')}#0`, ...text });
  });

  it('is compared with a thousand chunks at once if it is very long', {
    timeout: 20_000,
  }, async () => {
    const sections = Array.from({ length: 1000 }, (_, i) => `## Part ${i}\n\nalpha beta ${i}\n`);
    world.ports.files.set('docs/a.md', sections.join('\n'));
    await world.core.store.readAllSources(P);
    const content = 'alpha beta '.repeat(80_000);
    expect(await add({ title: 'Long', content })).toMatchObject({ id: 'long' });
  });

  it('is acknowledged even if its lease cannot be released', async () => {
    const stores = memoryStores();
    const open = async (path: string) => {
      const store = await stores.open(path);
      const acquire: Leases['acquire'] = (name, ms) => store.upkeep.acquire(name, ms);
      const release: Leases['release'] = () => Promise.reject(new Error('The disk is gone.'));
      const upkeep = Object.assign(Object.create(store.upkeep), { acquire, release });
      return { ...store, upkeep };
    };
    world = coreInMemory({ stores: Object.assign(Object.create(stores), { open }) });
    expect(await add(LOCKS)).toMatchObject({ id: 'locks' });
  });

  it('stays if an editor changed its file before it could be indexed', async () => {
    const { files } = world.ports;
    const failing = (text: string | undefined) => {
      files.onRead = (path) => {
        if (path !== fileOf('locks')) return;
        if (text !== undefined) files.set(path, text);
        throw new Error('The disk is slow.');
      };
    };
    failing('# Locks\n\nBy hand.\n');
    await expect(add(LOCKS)).rejects.toThrow('slow');
    expect(files.text(fileOf('locks'))).toContain('By hand.');
    files.delete(fileOf('locks'));
    failing(undefined);
    await expect(add(LOCKS)).rejects.toThrow('slow');
    expect(files.text(fileOf('locks'))).toBeUndefined();
  });

  it('is refused if it has more text than is indexed of a file, also if it grows', async () => {
    const refused = { code: 'invalid_request', message: expect.stringContaining('2 MiB') };
    await expect(add({ ...LOCKS, content: '貘'.repeat(700_000) })).rejects.toMatchObject(refused);
    expect(world.ports.files.paths).toEqual([]);
    await add({ ...LOCKS, content: `readers ${'貘'.repeat(500_000)}` });
    const growing = world.core.notes.changeNote(P, 'locks', { append: '貘'.repeat(300_000) });
    await expect(growing).rejects.toMatchObject(refused);
    expect(await idsFound(world, 'readers')).toEqual([`${fileOf('locks')}#0`]);
  });

  it('gets the next free name from its title', async () => {
    const ids = [];
    for (const content of ['First of all.', 'Quite another thing.', 'A third matter, unrelated.']) {
      ids.push((await add({ title: 'Locks', content })) as object);
    }
    expect(ids).toMatchObject([{ id: 'locks' }, { id: 'locks-2' }, { id: 'locks-3' }]);
  });

  it('gets another name if the first one is taken in the meantime', async () => {
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
      version: expect.any(String),
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
    const { upkeep: leases } = await memoryStores({ clock, databases: data }).open(P);
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

describe('a note whose content has frontmatter and its title', () => {
  const written = () => world.ports.files.text(fileOf('locks'));

  it('is the same after it was read and written again', async () => {
    const cites = '---\ncites: [a.ts]\n---\n';
    await add({ ...LOCKS, content: cites + LOCKS.content, tags: ['db'], importance: 0.9 });
    const before = written() ?? '';
    expect(before).toMatch(
      /^---\ncites: \["a.ts"\]\ntags: \["db"\]\nimportance: 0.9\ncreated: .*\nupdated: .*\n---\n# Locks\n/,
    );
    const read = { title: LOCKS.title, content: before };
    await world.core.notes.replaceNote(P, 'locks', read);
    expect(written()).toBe(before);
    await world.core.notes.replaceNote(P, 'locks', { ...read, tags: [], importance: 0.4 });
    expect(written()).toContain('importance: 0.4\n');
    expect(written()).not.toContain('db');
  });

  it.each([
    ['\n---\ntags: [db]\n---\n\n# Locks #\n\nText.', '---\ntags: ["db"]\n---\n# Locks\n\nText.\n'],
    [
      '---\ntitle: [WIP] Fix: it\ntags: db, ops\n---\nText.',
      '---\ntitle: "[WIP] Fix: it"\ntags: ["db","ops"]\n---\n# Locks\n\nText.\n',
    ],
    ['---\ntitle: Locks\n---\n# Locks\r\n\r\nText.', '# Locks\n\nText.\n'],
    ['\n\n---\ntags: [db]\n---\n# Locks\n\n\nText.', '---\ntags: ["db"]\n---\n# Locks\n\nText.\n'],
    ['# Locks\nText.\n\nMore.', '# Locks\n\nText.\n\nMore.\n'],
    ['---\n---\nText.', '# Locks\n\n---\n---\nText.\n'],
    ['# Locks of it\nText.', '# Locks\n\n# Locks of it\nText.\n'],
    ['---\nMore text: yes.', '# Locks\n\n---\nMore text: yes.\n'],
  ])('is written as a note: %j', async (content, file) => {
    await add({ title: 'Locks', content });
    expect(withoutTimes(written())).toBe(file);
  });

  it('needs some text besides', async () => {
    const content = '---\ntags: [db]\n---\n# Locks\n';
    await expect(add({ title: 'Locks', content })).rejects.toThrow('content must not be blank.');
  });

  it('supersedes what its frontmatter says', async () => {
    await add({ ...LOCKS, id: 'old' });
    const content = `---\nsupersedes: old\n---\n${LOCKS.content}`;
    expect(await add({ title: 'Locks', content })).toMatchObject({ id: 'locks' });
    expect(await idsFound(world, 'writers')).toEqual([`${fileOf('locks')}#0`]);
  });
});

describe('a note with known content', () => {
  it('is not added, and names the chunk', async () => {
    await add({ ...LOCKS, title: 'How locks work' });
    const same = { title: 'How  locks work', content: ` ${LOCKS.content.replaceAll(' ', '\n')}\n` };
    const duplicateOf = `${fileOf('how-locks-work')}#0`;
    expect(await add(same)).toEqual({ duplicateOf });
    expect(world.ports.files.paths).toEqual([fileOf('how-locks-work')]);
  });

  it('is added if that is what the caller wants', async () => {
    await add(LOCKS);
    expect(await add({ ...LOCKS, force: true })).toMatchObject({
      id: 'locks-2',
      similarTo: [expect.objectContaining({ id: `${fileOf('locks')}#0` })],
    });
    expect(await add({ ...LOCKS, force: false })).toHaveProperty('duplicateOf');
  });

  it('is recognized if the other note has several chunks', async () => {
    const first = await add(WAITING);
    expect(first).toMatchObject({ chunks: 2 });
    const again = await add(WAITING);
    expect(again).toMatchObject({ duplicateOf: expect.stringContaining(fileOf('waiting')) });
  });

  it.each([
    ['enabled', 'disabled'],
    ['MySQL', 'PostgreSQL'],
    ['before', 'after'],
    ['March', 'April'],
    ['30', '60'],
    ['always', 'never'],
  ])('is added where %j has become %j, and says what is similar', async (was, is) => {
    const content = (word: string) =>
      `Since the last release of the service the cache for the web shop has been ${word} in production.`;
    await add({ title: 'Cache', content: content(was) });
    const answer = await add({ title: 'Cache in production', content: content(is) });
    expect(answer).toMatchObject({
      id: 'cache-in-production',
      similarTo: [expect.objectContaining({ id: `${fileOf('cache')}#0` })],
    });
  });

  it.each([
    ['a sign', 'Use a >= b for it.', 'Use a <= b for it.'],
    ['an operator', 'Set flags with x += 1 there.', 'Set flags with x -= 1 there.'],
    ['a digit', 'Wait 15 s for the lock.', 'Wait 16 s for the lock.'],
    ['the case of a letter', 'The flag is -v here.', 'The flag is -V here.'],
    ['an accent', 'The role is called resume.', 'The role is called resumé.'],
    ['punctuation', 'Deploy, then migrate.', 'Deploy then migrate.'],
    ['a dot', 'The path is /a.b here.', 'The path is /a/b here.'],
  ])('is added where it differs in %s', async (_, was, is) => {
    await add({ title: 'One rule', content: was });
    const answer = await add({ title: 'One rule', content: is });
    expect(answer).toMatchObject({
      id: 'one-rule-2',
      similarTo: [expect.objectContaining({ id: `${fileOf('one-rule')}#0` })],
    });
    expect(await add({ title: 'One rule', content: is })).toHaveProperty('duplicateOf');
  });

  it('is added if the file of the other one is gone', async () => {
    await add(LOCKS);
    world.ports.files.delete(fileOf('locks'));
    expect(await add(LOCKS)).toMatchObject({ id: 'locks', chunks: 1 });
  });

  it('is added if only the order of its words differs', async () => {
    await add({ title: 'Owners', content: 'Ada calls Grace before the release.' });
    const answer = await add({ title: 'Owners', content: 'Grace calls Ada before the release.' });
    expect(answer).toMatchObject({
      id: 'owners-2',
      similarTo: [expect.objectContaining({ id: `${fileOf('owners')}#0` })],
    });
  });

  it('is added under the same title with another text, and says so', async () => {
    await add(LOCKS);
    const answer = await add({ title: 'Locks', content: 'Quite another matter.' });
    expect(answer).toMatchObject({
      id: 'locks-2',
      similarTo: [expect.objectContaining({ id: `${fileOf('locks')}#0` })],
    });
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

  it('is added if the other note has gone or may not be read', async () => {
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

describe('a note that expires', () => {
  it.each([
    ['2025-12-31', []],
    ['2026-01-01', []],
    ['2026-01-02', [`${fileOf('soon')}#0`]],
    ['2999-12-31', [`${fileOf('soon')}#0`]],
  ])('on %s is in these searches of 2026-01-01: %j', async (expires, found) => {
    await add({ ...LOCKS, id: 'soon', expires });
    expect(await idsFound(world, 'writers')).toEqual(found);
  });
});

describe('a note that supersedes another', () => {
  beforeEach(async () => {
    await add({ ...LOCKS, id: 'old' });
    await add({ title: 'New', content: 'Writers wait no longer.', supersedes: 'old' });
  });

  it('hides it for as long as it says so', async () => {
    const { notes, sources, store } = world.core;
    const [old, newer] = [`${fileOf('old')}#0`, `${fileOf('new')}#0`];
    expect(await idsFound(world, 'writers')).toEqual([newer]);
    const { results } = await store.search(P, 'writers', { includeSuperseded: true });
    expect(results).toHaveLength(2);
    expect(await sources.getChunk(P, old)).toMatchObject({ supersededBy: 'new' });
    expect(await sources.getChunk(P, newer)).not.toHaveProperty('supersededBy');
    await notes.replaceNote(P, 'new', { title: 'New', content: 'Readers wait.' });
    expect(await idsFound(world, 'writers')).toEqual([old]);
  });

  it('may say the same as that one', async () => {
    const again = { ...LOCKS, content: 'Writers wait no longer.', supersedes: 'new' };
    expect(await add(again)).toMatchObject({ id: 'locks' });
  });

  it.each([
    ['one that is not there', () => add({ ...LOCKS, supersedes: 'none' }), '"none" does not exist'],
    ['itself', () => replaceOld('old'), 'lead back to the note itself, as "old" does'],
    ['one that leads back', () => replaceOld('new'), 'lead back to the note itself, as "new" does'],
    ['one that leads back to its name', addOldAgain, 'lead back to the note itself, as "new" does'],
  ])('may not supersede %s', async (_, change, sentence) => {
    await expect(change()).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(sentence),
    });
  });

  const replaceOld = (supersedes: string) =>
    world.core.notes.replaceNote(P, 'old', { ...LOCKS, supersedes });
  async function addOldAgain() {
    await world.core.notes.deleteNote(P, 'old');
    await add({ title: 'Old', content: 'Something else.', supersedes: 'new' });
  }
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
