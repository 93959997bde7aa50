import { beforeEach, describe, expect, it } from 'vitest';
import { type CoreInMemory, coreInMemory, idsFound } from '../../support/core-in-memory.js';

const P = '/project';
const FOLDER = '.knowledge/documents';

let world: CoreInMemory;
const push = (document: object) => world.core.documents.pushDocument(P, document as never);
const chunkOf = async (id: string) => (await world.core.sources.getChunk(P, id)).chunk;

beforeEach(() => {
  world = coreInMemory();
});

describe('a document that is pushed', () => {
  it('becomes a file of the application directory, which is found at once', async () => {
    const pushed = await push({
      path: 'on call/pager',
      content: 'The pager is with the quokka.\n',
    });
    const sourceFile = `${FOLDER}/on call/pager.md`;
    expect(pushed).toEqual({ sourceFile, chunks: 1, isNew: true });
    expect(world.ports.files.text(sourceFile)).toBe('The pager is with the quokka.\n');
    expect(await idsFound(world, 'quokka')).toEqual([`${sourceFile}#0`]);
    expect(await chunkOf(`${sourceFile}#0`)).toMatchObject({ sourceType: 'file', importance: 0.5 });
  });

  it('keeps an ending of its own', async () => {
    expect(await push({ path: 'v1.2/a.txt', content: 'An okapi.' })).toMatchObject({
      sourceFile: `${FOLDER}/v1.2/a.txt`,
    });
  });

  it('replaces the one that was pushed before', async () => {
    await push({ path: 'a.md', content: 'An okapi.' });
    expect(await push({ path: 'a', content: 'A numbat.' })).toMatchObject({ isNew: false });
    expect(await idsFound(world, 'okapi')).toEqual([]);
    expect(await idsFound(world, 'numbat')).toEqual([`${FOLDER}/a.md#0`]);
  });

  it('has its tags and importance in its frontmatter, whose other entries stay', async () => {
    const content = '---\ntags: [x]\nimportance: 0.2\nteam: ops\n---\nAn okapi.\n\nA numbat.\n';
    await push({ path: 'a.md', content, tags: ['on call'], importance: 0.9 });
    expect(world.ports.files.text(`${FOLDER}/a.md`)).toBe(
      '---\ntags: ["on call"]\nimportance: 0.9\nteam: ops\n---\nAn okapi.\n\nA numbat.\n',
    );
    const of = { tags: ['on call'], importance: 0.9 };
    expect(await chunkOf(`${FOLDER}/a.md#1`)).toMatchObject(of);
    await push({ path: 'a.md', content });
    expect(await chunkOf(`${FOLDER}/a.md#1`)).toMatchObject({ tags: ['x'], importance: 0.2 });
  });

  it('keeps the entries of frontmatter in any notation of YAML', async () => {
    const content = '---\n{team: ops, tags: [x]}\n---\nAn okapi.\n';
    await push({ path: 'a.md', content, tags: ['on call'] });
    const text = world.ports.files.text(`${FOLDER}/a.md`);
    expect(text).toMatch(/team: "?ops"?/);
    expect(text).toContain('on call');
    expect(text).not.toMatch(/\bx\b/);
  });

  it('is a source of every ingestion, and is deleted with its file', async () => {
    const { sourceFile } = await push({ path: 'deep/down/a.md', content: 'An okapi.' });
    const { store, sources } = world.core;
    expect(await store.readAllSources(P)).toMatchObject({ indexed: 1, removed: 0 });
    expect(await sources.deleteSource(P, sourceFile)).toEqual({ deleted: 1 });
    expect(world.ports.files.paths).toEqual([]);
    expect(await idsFound(world, 'okapi')).toEqual([]);
  });

  it.each(['../a.md', '.git/a.md', 'a/../../b', '/a.md', ''])('is refused at %j', async (path) => {
    await expect(push({ path, content: 'x' })).rejects.toThrow(/^path must /);
    expect(world.ports.files.paths).toEqual([]);
  });
});
