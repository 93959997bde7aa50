import { beforeEach, describe, expect, it } from 'vitest';
import { ModelCallError } from '../../../src/domain/errors.js';
import { FakeSummarizer } from '../../fakes/fake-summarizer.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const CATEGORY = '.knowledge/memory/db.md';
const FILE = '.knowledge/digests/category-db.md';

let model: FakeSummarizer;
let world: CoreInMemory;
let files: CoreInMemory['ports']['files'];

beforeEach(() => {
  model = new FakeSummarizer();
  world = coreInMemory({ summarizer: model });
  files = world.ports.files;
  files.set(CATEGORY, '---\ntags: [x]\n---\n## Locks\nUse WAL.\nMore of it.\n');
});

const digest = (subject: object = { category: 'db' }) => world.core.digests.makeDigest(P, subject);

function addFeature(id: string, epicId: string, reflection = `Reflected on ${id}.`): string {
  const folder = `.knowledge/features/${id}`;
  files.set(`${folder}/feature.json`, JSON.stringify({ epicId, title: `Feature ${id}` }));
  files.set(`${folder}/reflection.md`, reflection);
  return `${folder}/reflection.md`;
}

describe('a digest of a category', () => {
  it('is written as a source with its own sources, and found at once', async () => {
    expect(await digest()).toEqual({
      sourceFile: FILE,
      chunks: 1,
      sources: [CATEGORY],
      isNew: true,
    });
    expect(model.calls).toEqual(['## Locks\nUse WAL.\nMore of it.\n']);
    expect(files.text(FILE)).toMatch(
      /^---\ntitle: "Digest of db"\nmade: ".*"\nsources: \[".knowledge\/memory\/db.md"\]\nhashes: \[".*"\]\n---\n# Digest of db\n\n## Locks\nUse WAL.\n$/s,
    );
    const { results } = await world.core.store.search(P, 'wal', { sourceTypes: ['generated'] });
    expect(results.map(({ chunk }) => chunk.sourceFile)).toEqual([FILE]);
  });

  it('stays as it is, without a call, while its sources are unchanged', async () => {
    await digest();
    const before = files.text(FILE);
    model.available = false;
    world.ports.clock.advance(1000);
    expect(await digest()).toMatchObject({ isNew: false, chunks: 1 });
    expect([files.text(FILE), model.calls.length]).toEqual([before, 1]);
  });

  it('is made again when its source has changed, or its file is empty or may not be read', async () => {
    await digest();
    files.set(CATEGORY, '## Pages\nUse 4 KiB.\n');
    expect(await digest()).toMatchObject({ isNew: false });
    const before = files.text(FILE) ?? '';
    expect(before).toContain('# Digest of db\n\n## Pages\nUse 4 KiB.\n');
    files.set(FILE, `---${before.split('---')[1]}---\n \n`);
    await digest();
    expect(files.text(FILE)).toBe(before);
    files.refuse(FILE, 'no permission');
    await digest();
    expect(model.calls).toHaveLength(4);
  });

  it('is created once for two calls at the same time', async () => {
    const made = await Promise.all([digest(), digest()]);
    expect(made.map(({ isNew }) => isNew)).toEqual([true, false]);
    expect(model.calls).toHaveLength(1);
  });

  it('has its parts apart from each other', async () => {
    model.maxCharacters = 60;
    files.set(CATEGORY, `## A\nFirst.\n${'x '.repeat(20)}\n\n## B\nThen.\n`);
    await digest();
    expect(files.text(FILE)).toContain('First.\n\n## B\nThen.');
  });
});

describe('a digest of an epic', () => {
  it('is made of the reflections of its features, again when one has been added', async () => {
    const [b, a] = [addFeature('b', 'e/1'), addFeature('a', 'e/1')];
    addFeature('c', 'e2');
    const sourceFile = '.knowledge/digests/epic-e~00002f1.md';
    expect(await digest({ epicId: 'e/1' })).toMatchObject({ sourceFile, sources: [a, b] });
    expect(model.calls[0]).toContain('# Feature a\n\nReflected on a.\n\n# Feature b');
    const d = addFeature('d', 'e/1');
    expect(await digest({ epicId: 'e/1' })).toMatchObject({ sources: [a, b, d] });
    expect(model.calls).toHaveLength(2);
  });

  it('leaves out features without a reflection that can be read', async () => {
    const a = addFeature('a', 'e', '---\ntags: [x]\n---\n\n Reflected on a.\n\n');
    addFeature('b', 'e', ' \n');
    files.delete(addFeature('c', 'e'));
    files.refuse(addFeature('d', 'e'), 'no permission');
    const z = addFeature('z', 'e');
    files.set('.knowledge/features/z/feature.json', '{ "epicId": "e" }');
    const { sources, sourceFile } = await digest({ epicId: 'e' });
    expect(sources).toEqual([a, z]);
    expect(model.calls).toEqual(['# Feature a\n\nReflected on a.\n\n# z\n\nReflected on z.\n']);
    expect(files.text(sourceFile)).toContain('# Digest of epic e\n');
  });
});

describe('a digest is refused', () => {
  it.each([
    [{}, 'invalid_request'],
    [{ category: 'db', epicId: 'e' }, 'invalid_request'],
    [{ category: '../db' }, 'invalid_request'],
    [{ epicId: ' ' }, 'invalid_request'],
    [{ category: 'unknown' }, 'category_not_found'],
    [{ epicId: 'unknown' }, 'not_found'],
  ])('of %j with %s, before a model is asked for or a store is made', async (subject, code) => {
    model.available = false;
    await expect(digest(subject)).rejects.toMatchObject({ code });
    expect(await world.ports.stores.find(P)).toBeUndefined();
  });

  it('of no project, and of sources without text', async () => {
    const nowhere = world.core.digests.makeDigest('', { epicId: 'e' });
    await expect(nowhere).rejects.toMatchObject({ code: 'invalid_request' });
    files.set(CATEGORY, '---\ntags: [a]\n---\n');
    const message = expect.stringContaining('no text');
    await expect(digest()).rejects.toMatchObject({ code: 'not_found', message });
    expect(model.calls).toEqual([]);
    model.available = false;
    await expect(digest()).rejects.toMatchObject({ code: 'model_unavailable' });
  });

  it.each<readonly [string, () => void, string]>([
    ['is not set', () => (model.available = false), 'No small language model is configured'],
    ['cannot be reached', () => fail('unreachable'), 'The small language model cannot be reached'],
    ['is not configured', () => fail('not_configured'), 'No small language model is configured'],
    [
      'fails',
      () => fail('failed'),
      'The small language model returned no usable digest; try again',
    ],
    ['is cut off', () => fail('unusable'), 'returned no usable digest; try again'],
    ['is blank', () => answer(' \n\u200b'), 'returned an empty digest; try again'],
    ['gives an empty fence', () => answer('```\n```'), 'returned an empty digest'],
    ['gives no text', () => answer('---\ntags: [a]\n---\n'), 'returned an empty digest'],
  ])('where the model %s, and an older one stays', async (_, spoil, message) => {
    await digest();
    const before = files.text(FILE);
    files.set(CATEGORY, 'changed');
    spoil();
    await expect(digest()).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining(message),
    });
    expect(files.text(FILE)).toBe(before);
  });

  it('fails with the bug itself if the failure is a bug', async () => {
    const bug = new TypeError('A bug.');
    model.summarize = () => Promise.reject(bug);
    await expect(digest()).rejects.toBe(bug);
  });
});

function fail(failure: ConstructorParameters<typeof ModelCallError>[0]): void {
  model.failure = new ModelCallError(failure, 'No.');
}

function answer(text: string): void {
  model.answer = () => text;
}
