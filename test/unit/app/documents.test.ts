import { beforeEach, describe, expect, it } from 'vitest';
import { type CoreInMemory, coreInMemory, idsFound } from '../../support/core-in-memory.js';

const P = '/project';

let world: CoreInMemory;
const push = (document: object) => world.core.documents.pushDocument(P, document as never);

beforeEach(() => {
  world = coreInMemory();
});

describe('a document that is pushed', () => {
  it('is found with its title, tags and importance, which win over its frontmatter', async () => {
    const content =
      '---\ntags: [x]\nimportance: 0.2\n---\nThe pager is with ops.\n\nAsk the quokka.';
    const given = { title: 'On call', tags: ['ops'], importance: 0.9 };
    expect(await push({ path: 'on call/pager.md', content, ...given })).toEqual({
      sourceFile: 'on call/pager.md',
      chunks: 2,
      isNew: true,
      changed: true,
    });
    const { results } = await world.core.store.search(P, 'quokka');
    expect(results.map(({ chunk }) => chunk)).toMatchObject([
      {
        id: 'on call/pager.md#1',
        sourceType: 'file',
        heading: 'On call',
        tags: ['ops'],
        importance: 0.9,
      },
    ]);
    expect(world.ports.files.paths).toEqual([]);
  });

  it('wakes the background work', async () => {
    await world.core.store.initialize(P);
    const before = world.woken();
    await push({ path: 'a.md', content: 'x' });
    expect(world.woken()).toBe(before + 1);
  });

  it('has the tags and the importance of its frontmatter, or those of the settings', async () => {
    await push({ path: 'a.md', content: '---\ntags: [x]\nimportance: 0.2\n---\nAn okapi.' });
    await push({ path: 'b.md', content: 'A numbat.' });
    const chunkOf = async (id: string) => (await world.core.sources.getChunk(P, id)).chunk;
    expect(await chunkOf('a.md#0')).toMatchObject({ tags: ['x'], importance: 0.2 });
    const plain = await chunkOf('b.md#0');
    expect(plain).toMatchObject({ importance: 0.5 });
    expect([plain.tags, plain.heading]).toEqual([undefined, undefined]);
  });

  it.each([
    ['reflection', 0.8],
    ['agent_output', 0.6],
  ])('may be a %s, in which lessons are found', async (sourceType, importance) => {
    const content = 'Feed the quokka.';
    await push({ path: 'f/a.md', content });
    expect(await push({ path: 'f/a.md', content, sourceType })).toMatchObject({ changed: true });
    const { results } = await world.core.store.searchReflections(P, 'quokka');
    expect(results.map(({ chunk }) => chunk)).toMatchObject([{ sourceType, importance, content }]);
  });

  it('is cut like the output of an agent where it is one', async () => {
    const content = `${'a b. '.repeat(1000)}## Done\n\nAn okapi.`;
    await push({ path: 'f/a.md', content, sourceType: 'agent_output' });
    const { chunk } = await world.core.sources.getChunk(P, 'f/a.md#0');
    expect(chunk).toMatchObject({
      heading: 'Agent output: f/a.md',
      content: content.slice(-2000),
    });
  });

  it('is the same until something of it changes', async () => {
    const document = { path: 'a.md', content: 'An okapi.' };
    await push(document);
    expect(await push(document)).toMatchObject({ isNew: false, changed: false, chunks: 1 });
    for (const change of [{ title: 'A' }, { tags: ['b'] }, { importance: 0.7 }, { content: 'C' }]) {
      expect(await push({ ...document, ...change })).toMatchObject({ isNew: false, changed: true });
    }
    expect([await idsFound(world, 'okapi'), await idsFound(world, 'c')]).toEqual([[], ['a.md#0']]);
  });

  it('is written again where its rows were lost, though it is the same', async () => {
    await push({ path: 'a.md', content: 'An okapi.' });
    const { store } = await world.core.projects.open(P);
    await store.retrievals.deleteUnusedSince(new Date('2100-01-01'), 100);
    expect(await idsFound(world, 'okapi')).toEqual([]);
    await push({ path: 'a.md', content: 'An okapi.' });
    expect(await idsFound(world, 'okapi')).toEqual(['a.md#0']);
  });

  it('is stored without what no database returns as it was', async () => {
    await push({ path: 'a.md', content: '\ufeffAn okapi\0.', title: 'T\0' });
    const { chunk } = await world.core.sources.getChunk(P, 'a.md#0');
    expect(chunk).toMatchObject({ heading: 'T\ufffd', content: 'An okapi\ufffd.' });
  });

  it('never takes the place of a file, whether or not that is indexed', async () => {
    world.ports.files.set('docs/guide.md', 'Writers wait.');
    const conflict = {
      code: 'conflict',
      message: expect.stringContaining('"docs/guide.md" is a file of the project'),
    };
    await expect(push({ path: 'docs/guide.md', content: 'Mine.' })).rejects.toMatchObject(conflict);
    await world.core.store.readAllSources(P);
    await expect(push({ path: 'docs/guide.md', content: 'Mine.' })).rejects.toMatchObject(conflict);
    expect(await idsFound(world, 'mine')).toEqual([]);
  });
});

it.each([
  ['sourceType', { sourceType: 'manual' }],
  ['path', { path: '.Knowledge/notes/a.md' }],
])('a document with the %s of a note is refused', async (name, wrong) => {
  const note = push({ path: 'a.md', content: 'x', ...wrong });
  await expect(note).rejects.toThrow(new RegExp(`^${name} must `));
});
