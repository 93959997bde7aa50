import { beforeEach, describe, expect, it } from 'vitest';
import { FRONTMATTER_MAX_CHARACTERS } from '../../../src/domain/limits.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { type CoreInMemory, coreInMemory, idsFound } from '../../support/core-in-memory.js';
import { embedPending } from '../../support/embed-pending.js';
import { pruneAll } from '../../support/unretrieved.js';

const P = '/project';
const NOTE = '.knowledge/notes/locks.md';
const TEXT = '## One\nthe ibex\n\n## Two\nthe okapi';

let world: CoreInMemory;

beforeEach(async () => {
  world = coreInMemory();
  world.ports.files.set('docs/a.md', TEXT);
  world.ports.files.set('docs/b.md', 'the numbat');
  await world.core.store.readAllSources(P);
  await world.core.notes.addNote(P, { title: 'Locks', content: 'the zeppelin' });
});

describe('the lines of chunks', () => {
  const linesOf = (...ids: readonly string[]) => world.core.sources.linesOf(P, ids);

  it('are the current ones, for every kind of source', async () => {
    world.ports.files.set(
      'docs/a.md',
      '---\ntags: [a]\n---\n# T\n\n## One\nsame\n\n## Two ##\n\nsame\n',
    );
    world.ports.files.set('.knowledge/features/f/reflection.md', 'one\n\ntwo\n');
    world.ports.files.set('.knowledge/features/f/agent-output.md', `${'x\n'.repeat(1500)}end\n`);
    await world.core.store.readAllSources(P);
    expect(await linesOf('docs/a.md#0', 'docs/a.md#1', `${NOTE}#0`, 'docs/none.md#0')).toEqual([
      6,
      9,
      7,
      undefined,
    ]);
    const feature = '.knowledge/features/f';
    expect(await linesOf(`${feature}/reflection.md#1`, `${feature}/agent-output.md#0`)).toEqual([
      3, 503,
    ]);
  });

  it('follow a file that has changed once it is indexed again', async () => {
    world.ports.files.set('docs/a.md', `## Zero\nnew\n\n${TEXT}`);
    await world.core.store.reindex(P);
    const ids = [0, 1, 2].map((place) => `docs/a.md#${place}`);
    expect(await linesOf(...ids)).toEqual([1, 4, 7]);
    const found = await world.core.store.search(P, 'okapi');
    const [okapi] = await world.useCases.sources.located(P, found.results);
    expect([okapi?.chunk.id, okapi?.line]).toEqual(['docs/a.md#2', 7]);
    expect(await world.core.sources.getChunk(P, 'docs/a.md#2')).toMatchObject({ line: 7 });
    expect(await linesOf('docs/a.md#9')).toEqual([undefined]);
  });
});

describe('a source', () => {
  it.each([
    `${P}/docs/a.md`,
    './docs/a.md',
    '/docs/a.md',
    'docs\\a.md',
    '.\\docs\\a.md',
    `file://${P}/docs/a.md`,
    `file://localhost${P}/docs/%61.md`,
    'docs/../docs//a.md',
  ])('is found by each form of its path: %s', async (path) => {
    const { sources } = world.useCases;
    for (const place of ['', ':3-4']) {
      const { sourceFile } = await sources.lines({ projectPath: P, sourceFile: path + place });
      expect(sourceFile).toBe('docs/a.md');
    }
    const { chunk } = await sources.chunk({ projectPath: P, id: `${path}#1` });
    expect(chunk.id).toBe('docs/a.md#1');
    const similar = { projectPath: P, text: 'the okapi' };
    const found = await world.useCases.search.similar({ ...similar, sourceFile: path });
    expect(found.results.map((result) => result.chunk.sourceFile)).not.toContain('docs/a.md');
    expect((await world.useCases.search.similar(similar)).results).not.toEqual([]);
  });

  it('is found by a file that has its text, and by nothing else', async () => {
    world.ports.files.set('LINK.md', TEXT);
    world.ports.files.set('other.txt', 'secret');
    const { sources } = world.useCases;
    const lines = (sourceFile: string) => sources.lines({ projectPath: P, sourceFile });
    expect(await lines('./LINK.md')).toMatchObject({ sourceFile: 'docs/a.md' });
    for (const path of [
      'other.txt',
      '../docs/a.md',
      `${P}/../docs/a.md`,
      'file:///docs/%zz',
      '/',
    ]) {
      await expect(lines(path)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('the lines of a source', () => {
  const LONG = Array.from({ length: 60 }, (_, i) => `line ${i + 1}`);
  beforeEach(async () => {
    world.ports.files.set('docs/long.md', `${LONG.join('\r\n')}\r\n`);
    await world.core.store.readAllSources(P);
  });

  it.each([
    ['docs/long.md', {}, 1, 60],
    ['docs/long.md', { from: 2, to: 3 }, 2, 3],
    ['docs/long.md:12-20', {}, 12, 20],
    ['docs/long.md:12-20', { from: 13 }, 13, 20],
    ['docs/long.md:12-12', {}, 12, 12],
    ['docs/long.md:12:3-20', {}, 12, 20],
    ['docs/long.md(12-20)', {}, 12, 20],
    ['docs/long.md#L12C3-L20C9', {}, 12, 20],
    ['docs/long.md:12', {}, 12, 51],
    ['docs/long.md:60', {}, 60, 60],
    ['docs/long.md:0-2', {}, 1, 2],
  ])('%s %j are those from %d to %d', async (file, range, from, to) => {
    const text = LONG.slice(from - 1, to).join('\n');
    const shown = { sourceFile: 'docs/long.md', from, to, lines: 60, text };
    expect(await world.core.sources.readLines(P, file, range)).toEqual(shown);
  });

  it('are refused if the last is before the first', async () => {
    const read = world.core.sources.readLines(P, 'docs/long.md', { from: 5, to: 2 });
    await expect(read).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.each([
    ['docs/long.md:61', 'not_found', 'The source docs/long.md has only 60 lines.'],
    ['docs/long.md:3-2', 'invalid_request', 'Lines are numbered from 1'],
    ['docs/none.md:3', 'not_found', '"docs/none.md"'],
    ['docs/long.md:3-x', 'not_found', '"docs/long.md:3-x"'],
  ])('%s are refused: %s', async (file, code, sentence) => {
    const message = expect.stringContaining(sentence);
    await expect(world.core.sources.readLines(P, file)).rejects.toMatchObject({ code, message });
  });
});

it('finds a chunk and lines by a path without its invisible characters', async () => {
  world.ports.files.set('⚙\ufe0f settings.md', '## A\nthe quokka\n');
  await world.core.store.readAllSources(P);
  const { chunk } = await world.core.sources.getChunk(P, '⚙ settings.md#0');
  expect(chunk.id).toBe('⚙\ufe0f settings.md#0');
  expect((await world.core.sources.readLines(P, '⚙ settings.md')).text).toContain('quokka');
});

describe('a list of sources', () => {
  it('reports the size, time of indexing and retrievals of each', async () => {
    await world.core.store.search(P, 'ibex');
    const { sources, skipped } = await world.core.sources.listSources(P);
    const indexedAt = world.ports.clock.now().toISOString();
    expect(skipped).toEqual([]);
    expect(sources).toHaveLength(3);
    expect(sources).toContainEqual({
      sourceFile: 'docs/a.md',
      sourceType: 'file',
      chunks: 2,
      bytes: world.ports.files.text('docs/a.md')?.length,
      indexedAt,
      retrievals: 1,
    });
  });

  it('reads only files that have changed since they were read', async () => {
    const list = () => world.core.sources.listSources(P);
    const { files } = world.ports;
    await list();
    files.reads.length = 0;
    await list();
    expect(files.reads).toEqual([]);
    files.set('docs/a.md', 'the ibex again');
    await list();
    await list();
    expect(files.reads).toEqual(['docs/a.md']);
    files.refuse('docs/b.md', 'it is not text');
    const skipped = [{ sourceFile: 'docs/b.md', reason: 'it is not text' }];
    for (let time = 0; time < 2; time += 1) expect(await list()).toMatchObject({ skipped });
  });

  it.each([
    'title: Fix: retry\ntags: [a]',
    'tags: [a]\ntitle: [WIP] retry',
    'title: *new*',
    'description: `code`',
    'aliases: @me',
    'tags: %x',
    '\ttitle: a',
    'title: "open',
  ])('tells that frontmatter is not YAML, of which something may be lost: %j', async (yaml) => {
    world.ports.files.set('docs/b.md', `---\n${yaml}\n---\nthe numbat`);
    const { skipped } = await world.core.sources.listSources(P);
    const reason = expect.stringContaining('its frontmatter is not valid YAML');
    const told = [{ sourceFile: 'docs/b.md', reason, isRead: true }];
    expect(skipped).toEqual(told);
    const { ingestion } = world.core;
    const project = await world.core.projects.open(P);
    for (let time = 0; time < 2; time += 1) {
      expect((await ingestion.ingest(project)).skipped).toEqual(told);
    }
    world.ports.files.set('docs/b.md', 'the numbat');
    expect((await world.core.sources.listSources(P)).skipped).toEqual([]);
  });

  it('reports frontmatter that is too long, of which nothing is used', async () => {
    const yaml = `tags: [a]\n${'#'.repeat(FRONTMATTER_MAX_CHARACTERS)}`;
    world.ports.files.set('docs/b.md', `---\n${yaml}\n---\nthe numbat`);
    const { skipped } = await world.core.sources.listSources(P);
    const reason = 'its frontmatter is longer than 16384 characters, so it is ignored';
    expect(skipped).toEqual([{ sourceFile: 'docs/b.md', reason, isRead: true }]);
  });

  it.each(['tags: [a]\ntitle: "Fix: retry"', 'author: @me: x', '# tags', '', 'title:'])(
    'tells nothing of frontmatter of which nothing is lost: %j',
    async (yaml) => {
      world.ports.files.set('docs/b.md', `---\n${yaml}\n---\nthe numbat`);
      expect((await world.core.sources.listSources(P)).skipped).toEqual([]);
    },
  );

  it('lists those of one type on request, with the skipped ones', async () => {
    world.ports.files.refuse('docs/b.md', 'it is not text');
    world.ports.files.refuse('.knowledge/notes/secret.md', 'no permission');
    world.ports.files.set('.knowledge/notes/secret.md', 'x');
    const filesOf = async (type: 'file' | 'manual') => {
      const { sources, skipped } = await world.core.sources.listSources(P, type);
      return [sources, skipped].map((list) => list.map(({ sourceFile }) => sourceFile));
    };
    expect(await filesOf('file')).toEqual([['docs/a.md', 'docs/b.md'], ['docs/b.md']]);
    expect(await filesOf('manual')).toEqual([[NOTE], ['.knowledge/notes/secret.md']]);
  });

  it('has no bytes of a file that has gone', async () => {
    world.ports.files.delete('docs/b.md');
    const { sources } = await world.core.sources.listSources(P);
    expect(sources.find(({ sourceFile }) => sourceFile === 'docs/b.md')).toMatchObject({
      bytes: 0,
    });
  });

  it('is complete if there are many', async () => {
    for (let i = 0; i < 40; i += 1) world.ports.files.set(`docs/many/${i}.md`, `text ${i}`);
    await world.core.store.readAllSources(P);
    const { sources } = await world.core.sources.listSources(P);
    const names = sources.map(({ sourceFile }) => sourceFile);
    expect([names.length, new Set(names).size]).toEqual([43, 43]);
  });
});

describe('a source', () => {
  it('whose file is gone is read from its chunks, without pruned ones', async () => {
    world.ports.files.delete('docs/a.md');
    const lines = () => world.core.sources.readLines(P, 'docs/a.md');
    expect(await lines()).toMatchObject({ text: TEXT, from: 1, lines: 5 });
    const { store } = await world.core.projects.open(P);
    await store.chunks.record(['docs/a.md#1'], new Date());
    await pruneAll(store);
    expect((await lines()).text).toBe(TEXT.slice(TEXT.indexOf('## Two')));
  });

  it('of a file is deleted until the next ingestion, and says so if the file is there', async () => {
    world.ports.files.delete('docs/b.md');
    const deleted = ['docs/a.md', 'docs/b.md'].map((file) =>
      world.core.sources.deleteSource(P, file),
    );
    expect(await Promise.all(deleted)).toEqual([{ deleted: 2, returns: true }, { deleted: 1 }]);
    expect(await idsFound(world, 'ibex')).toEqual([]);
  });

  it('that was saved is deleted with its file, which may be gone already', async () => {
    expect(await world.core.sources.deleteSource(P, NOTE)).toEqual({ deleted: 1 });
    expect(world.ports.files.text(NOTE)).toBeUndefined();
    expect(await idsFound(world, 'zeppelin')).toEqual([]);
    await world.core.notes.addNote(P, { title: 'Locks', content: 'the zeppelin' });
    world.ports.files.delete(NOTE);
    expect(await world.core.sources.deleteSource(P, NOTE)).toEqual({ deleted: 1 });
  });

  it.each(['readLines', 'deleteSource'] as const)(
    'that is unknown is refused: %s',
    async (method) => {
      await expect(world.core.sources[method](P, 'docs/none.md')).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('"docs/none.md"'),
      });
      expect(await idsFound(world, 'ibex')).toEqual(['docs/a.md#0']);
    },
  );
});

it('a file is read again only if it has changed', async () => {
  const { files } = world.ports;
  files.reads.length = 0;
  await world.core.store.reindex(P);
  expect(files.reads).toEqual([]);
  files.set('docs/a.md', 'the ibex again');
  await world.core.store.reindex(P);
  expect(files.reads).toEqual(['docs/a.md']);
  expect(await idsFound(world, 'again')).toEqual(['docs/a.md#0']);
});

describe('a chunk', () => {
  it('is shown with its questions and its nearest neighbours, itself left out', async () => {
    for (let i = 10; i < 22; i += 1) world.ports.files.set(`docs/${i}.md`, `quokka ${i}`);
    await world.core.store.readAllSources(P);
    const { store } = await world.core.projects.open(P);
    await embedPending(store.vectors, FakeEmbedder.ready(), { limit: 100 });
    const [first] = await store.vectors.pending('questionTexts', 10);
    const questions = ['Where is it?'];
    if (first !== undefined) await store.vectors.put('questionTexts', [{ ...first, questions }]);
    const shown = await world.core.sources.getChunk(P, 'docs/b.md#0');
    expect(shown.chunk).toMatchObject({ content: 'the numbat', projectPath: P });
    const cosines = shown.neighbours.map(({ cosine }) => cosine);
    expect(cosines).toHaveLength(10);
    expect(cosines).toEqual(cosines.toSorted((a, b) => b - a));
    expect(Math.max(...cosines)).toBeLessThan(0.9);
    const one = shown.neighbours.find(({ id }) => id === 'docs/a.md#0');
    expect(one).toMatchObject({ sourceFile: 'docs/a.md', heading: 'One' });
    const asked = await world.core.sources.getChunk(P, first?.id ?? '');
    expect([asked.questions, shown.questions].filter(({ length }) => length > 0)).toEqual([
      ['Where is it?'],
    ]);
    const { sources } = await world.core.sources.listSources(P);
    expect(sources.every(({ retrievals }) => retrievals === 0)).toBe(true);
  });

  it('has no neighbours before it has a vector, and is refused if it is unknown', async () => {
    const bare = { questions: [], neighbours: [] };
    expect(await world.core.sources.getChunk(P, 'docs/b.md#0')).toMatchObject(bare);
    await expect(world.core.sources.getChunk(P, 'none')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('no chunk'),
    });
  });
});

it('a project without a store has no sources and gets none', async () => {
  const { core, ports } = coreInMemory();
  expect(await core.sources.listSources(P)).toEqual({ sources: [], skipped: [] });
  await expect(core.sources.readLines(P, 'a.md')).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('Nothing is indexed'),
  });
  await expect(core.sources.getChunk(P, 'a')).rejects.toMatchObject({ code: 'not_found' });
  expect(await ports.stores.find(P)).toBeUndefined();
});

it.each<[string, (core: CoreInMemory['core']) => Promise<unknown>]>([
  ['deleting a source', ({ sources }) => sources.deleteSource('/p', 'x')],
  ['deleting a note', ({ notes }) => notes.deleteNote('/p', 'x')],
  ['replacing a note', ({ notes }) => notes.replaceNote('/p', 'x', { title: 't', content: 'c' })],
  ['adding to a note', ({ notes }) => notes.changeNote('/p', 'x', { append: 'c' })],
])('%s that does not exist makes no store', async (_, change) => {
  const { core, ports } = coreInMemory();
  await expect(change(core)).rejects.toMatchObject({ code: 'not_found' });
  expect(await ports.stores.find('/p')).toBeUndefined();
});
