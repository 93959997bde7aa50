import { beforeEach, describe, expect, it } from 'vitest';
import { ModelCallError } from '../../../src/domain/errors.js';
import { FakeSummarizer } from '../../fakes/fake-summarizer.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const CATEGORY = '.knowledge/memory/db.md';
const FILE = '.knowledge/digests/category-db.md';

let model: FakeSummarizer;
let world: CoreInMemory;

beforeEach(() => {
  model = new FakeSummarizer();
  world = coreInMemory({ summarizer: model });
  world.ports.files.set(CATEGORY, '## Locks\nUse WAL.\n');
});

const digest = (subject: object) => world.core.digests.makeDigest(P, subject);
const feature = (id: string, reflection: string, title?: string) => {
  const folder = `.knowledge/features/${id}`;
  world.ports.files.set(`${folder}/feature.json`, JSON.stringify({ epicId: 'e', title }));
  world.ports.files.set(`${folder}/reflection.md`, reflection);
};

describe('a digest is refused', () => {
  it('in a project without a store, which gets none', async () => {
    world = coreInMemory();
    for (const subject of [{ category: 'db' }, { epicId: 'e' }]) {
      await expect(digest(subject)).rejects.toMatchObject({
        code: expect.stringMatching(/not_found$/),
      });
    }
    expect(await world.ports.stores.find(P)).toBeUndefined();
    await expect(world.core.digests.makeDigest('', { epicId: 'e' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('where its sources have no text', async () => {
    world.ports.files.set(CATEGORY, '---\ntags: [a]\n---\n');
    await expect(digest({ category: 'db' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('no text'),
    });
    expect(model.calls).toEqual([]);
  });

  it.each<readonly [string, () => void, string]>([
    ['is not set', () => (model.available = false), 'No small language model is set'],
    ['cannot be reached', () => fail('unreachable'), 'No small language model can be reached'],
    ['is not configured', () => fail('not_configured'), 'No small language model can be reached'],
    ['fails', () => fail('failed'), 'The small language model gave no usable digest; try again'],
    ['says nothing', () => (model.answer = () => ''), 'returned an empty digest; try again'],
  ])('where the model %s', async (_, spoil, message) => {
    spoil();
    await expect(digest({ category: 'db' })).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining(message),
    });
    expect(world.ports.files.text(FILE)).toBeUndefined();
  });

  it('with the bug itself where the failure is one', async () => {
    const bug = new TypeError('A bug.');
    model.summarize = () => Promise.reject(bug);
    await expect(digest({ category: 'db' })).rejects.toBe(bug);
  });
});

describe('a digest', () => {
  it('is made again where its file is empty or may not be read', async () => {
    await digest({ category: 'db' });
    const before = world.ports.files.text(FILE) ?? '';
    world.ports.files.set(FILE, `${before.split('---')[0]}---${before.split('---')[1]}---\n \n`);
    await digest({ category: 'db' });
    expect(world.ports.files.text(FILE)).toBe(before);
    world.ports.files.refuse(FILE, 'no permission');
    await digest({ category: 'db' });
    expect(model.calls).toHaveLength(3);
  });

  it('has its parts apart from each other', async () => {
    model.maxCharacters = 60;
    world.ports.files.set(CATEGORY, `## A\nFirst.\n${'x '.repeat(20)}\n\n## B\nThen.\n`);
    await digest({ category: 'db' });
    expect(world.ports.files.text(FILE)).toContain('First.\n\n## B\nThen.');
  });

  it('of an epic leaves out features without a reflection that can be read', async () => {
    feature('a', '---\ntags: [x]\n---\n\n Reflected on a.\n\n', 'Feature a');
    feature('b', ' \n');
    feature('c', 'Reflected on c.');
    feature('d', 'Reflected on d.');
    world.ports.files.delete('.knowledge/features/c/reflection.md');
    world.ports.files.refuse('.knowledge/features/d/reflection.md', 'no permission');
    feature('z', 'Reflected on z.');
    const { sources, sourceFile } = await digest({ epicId: 'e' });
    expect(sources).toEqual([
      '.knowledge/features/a/reflection.md',
      '.knowledge/features/z/reflection.md',
    ]);
    expect(model.calls).toEqual(['# Feature a\n\nReflected on a.\n\n# z\n\nReflected on z.\n']);
    expect(world.ports.files.text(sourceFile)).toContain('# Digest of epic e\n');
  });
});

function fail(failure: ConstructorParameters<typeof ModelCallError>[0]): void {
  model.failure = new ModelCallError(failure, 'No.');
}
