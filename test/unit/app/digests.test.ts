import { beforeEach, describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { createCore } from '../../../src/app/wiring/create-core.js';
import { searchOnlyVariant } from '../../../src/app/wiring/variant-modules.js';
import { ModelCallError, type ModelCallFailure } from '../../../src/domain/errors.js';
import { FakeSummarizer } from '../../fakes/fake-summarizer.js';
import { portsInMemory } from '../../support/ports-in-memory.js';

const P = '/project';
const CATEGORY = '.knowledge/memory/db.md';
const FILE = '.knowledge/digests/category-db.md';

let ports: ReturnType<typeof portsInMemory>;
let model: FakeSummarizer;
let core: ReturnType<typeof createCore>;

beforeEach(() => {
  ports = portsInMemory();
  model = new FakeSummarizer();
  const frontmatter = { parse: parseFrontmatter };
  core = createCore({ ...ports, frontmatter, summarizer: model }, searchOnlyVariant());
  ports.files.set(CATEGORY, '---\ntags: [x]\n---\n## Locks\nUse WAL.\nMore of it.\n');
});

describe('a digest of a category', () => {
  it('is written as a source with its own sources, and found at once', async () => {
    expect(await core.digests.makeDigest(P, { category: 'db' })).toEqual({
      sourceFile: FILE,
      chunks: 1,
      sources: [CATEGORY],
      isNew: true,
    });
    expect(model.calls).toEqual(['## Locks\nUse WAL.\nMore of it.\n']);
    expect(ports.files.text(FILE)).toMatch(
      /^---\ntitle: "Digest of db"\nmade: ".*"\nsources: \[".knowledge\/memory\/db.md"\]\nhashes: \[".*"\]\n---\n# Digest of db\n\n## Locks\nUse WAL.\n$/s,
    );
    const { results } = await core.store.search(P, 'wal', { sourceTypes: ['generated'] });
    expect(results.map(({ chunk }) => chunk.sourceFile)).toEqual([FILE]);
  });

  it('stays as it is, without a call, while its source has not changed', async () => {
    await core.digests.makeDigest(P, { category: 'db' });
    const before = ports.files.text(FILE);
    model.available = false;
    ports.clock.advance(1000);
    const again = await core.digests.makeDigest(P, { category: 'db' });
    expect(again).toMatchObject({ isNew: false, chunks: 1 });
    expect([ports.files.text(FILE), model.calls.length]).toEqual([before, 1]);
  });

  it('is made again when its source has changed', async () => {
    await core.digests.makeDigest(P, { category: 'db' });
    ports.files.set(CATEGORY, '## Pages\nUse 4 KiB.\n');
    expect(await core.digests.makeDigest(P, { category: 'db' })).toMatchObject({ isNew: false });
    expect(ports.files.text(FILE)).toContain('# Digest of db\n\n## Pages\nUse 4 KiB.\n');
  });

  it('is made once for two calls at the same time', async () => {
    const calls = [1, 2].map(() => core.digests.makeDigest(P, { category: 'db' }));
    expect((await Promise.all(calls)).map(({ isNew }) => isNew)).toEqual([true, false]);
    expect(model.calls).toHaveLength(1);
  });

  it.each<readonly [string, () => void]>([
    ['fails', () => fail('failed')],
    ['cannot be reached', () => fail('unreachable')],
    ['is cut off', () => fail('unusable')],
    ['is blank', () => answer(' \n\u200b')],
    ['is frontmatter alone', () => answer('---\ntags: [a]\n---\n')],
  ])('stays if the answer %s', async (_, spoil) => {
    await core.digests.makeDigest(P, { category: 'db' });
    const before = ports.files.text(FILE);
    ports.files.set(CATEGORY, 'changed');
    spoil();
    await expect(core.digests.makeDigest(P, { category: 'db' })).rejects.toMatchObject({
      code: 'model_unavailable',
    });
    expect(ports.files.text(FILE)).toBe(before);
  });
});

describe('a digest of an epic', () => {
  beforeEach(() => {
    for (const [id, epicId] of [
      ['b', 'e/1'],
      ['a', 'e/1'],
      ['c', 'e2'],
    ]) {
      const folder = `.knowledge/features/${id}`;
      ports.files.set(`${folder}/feature.json`, JSON.stringify({ epicId, title: `Feature ${id}` }));
      ports.files.set(`${folder}/reflection.md`, `Reflected on ${id}.`);
    }
  });

  it('is made of the reflections of its features', async () => {
    expect(await core.digests.makeDigest(P, { epicId: 'e/1' })).toMatchObject({
      sourceFile: '.knowledge/digests/epic-e~00002f1.md',
      sources: ['.knowledge/features/a/reflection.md', '.knowledge/features/b/reflection.md'],
    });
    expect(model.calls[0]).toContain('# Feature a\n\nReflected on a.\n\n# Feature b');
  });

  it('is made again when a feature has been added', async () => {
    await core.digests.makeDigest(P, { epicId: 'e2' });
    ports.files.set('.knowledge/features/d/feature.json', '{ "epicId": "e2" }');
    ports.files.set('.knowledge/features/d/reflection.md', 'Reflected on d.');
    const { sources } = await core.digests.makeDigest(P, { epicId: 'e2' });
    expect([sources.length, model.calls.length]).toEqual([2, 2]);
  });
});

it.each([
  [{}, 'invalid_request'],
  [{ category: 'db', epicId: 'e' }, 'invalid_request'],
  [{ category: '../db' }, 'invalid_request'],
  [{ epicId: ' ' }, 'invalid_request'],
  [{ category: 'unknown' }, 'category_not_found'],
  [{ epicId: 'unknown' }, 'not_found'],
])('refuses %j with %s before it asks for a model', async (subject, code) => {
  model.available = false;
  await expect(core.digests.makeDigest(P, subject)).rejects.toMatchObject({ code });
});

function fail(failure: ModelCallFailure): void {
  model.failure = new ModelCallError(failure, 'No.');
}

function answer(text: string): void {
  model.answer = () => text;
}
