import { beforeEach, describe, expect, it } from 'vitest';
import { configFrom } from '../../../src/app/config/read-config.js';
import { composeService } from '../../../src/app/wiring/container.js';
import { KnowledgeError } from '../../../src/domain/errors.js';
import { FakePageFetcher } from '../../fakes/fake-page-fetcher.js';
import { type CoreInMemory, coreInMemory, idsFound } from '../../support/core-in-memory.js';
import { TempProject } from '../../support/temp-project.js';

const P = '/project';
const URL = 'https://sqlite.example/wal.html?v=1#readers';
const FOLDER = '.knowledge/urls';
const FILE = `${FOLDER}/sqlite-example-wal-html-v-1.md`;

let web: FakePageFetcher;
let world: CoreInMemory;
let files: CoreInMemory['ports']['files'];

beforeEach(() => {
  web = new FakePageFetcher();
  world = coreInMemory({ pages: web });
  files = world.ports.files;
});

const save = (url = URL, rest: object = {}) => world.core.pages.savePage(P, { url, ...rest });

describe('a page', () => {
  it('is kept as a file with its address, its title and the date, and found at once', async () => {
    const saved = await save(URL, { tags: ['db'], importance: 0.9 });
    expect(saved).toEqual({
      sourceFile: FILE,
      title: 'WAL mode',
      chunks: 1,
      isNew: true,
      changed: true,
    });
    expect(files.text(FILE)).toBe(
      `---\nsource: "https://sqlite.example/wal.html?v=1"\ntitle: "WAL mode"\nfetched: "${world.ports.clock
        .now()
        .toISOString()}"\ntags: ["db"]\nimportance: 0.9\n---\n# WAL mode\n\n## Readers\n\nReaders do not block writers.\n`,
    );
    const { results } = await world.core.store.search(P, 'readers');
    expect(results.map(({ chunk }) => chunk)).toMatchObject([
      { sourceType: 'url', sourceFile: FILE, tags: ['db'], importance: 0.9 },
    ]);
  });

  it('is kept with its date if a server sends the same text again', async () => {
    await save();
    const before = files.text(FILE);
    world.ports.clock.advance(1000);
    const again = await save(`${URL}-other-part`);
    expect(again).toMatchObject({ isNew: false, changed: false, chunks: 1, title: 'WAL mode' });
    expect(files.text(FILE)).toBe(before);
  });

  it('is replaced if it has changed, and keeps its tags', async () => {
    await save(URL, { tags: ['db'] });
    web.page = { title: 'WAL', markdown: 'Checkpoints matter.' };
    const again = await save();
    expect(again).toMatchObject({ sourceFile: FILE, isNew: false, changed: true, title: 'WAL' });
    expect(await idsFound(world, 'checkpoints')).toEqual([`${FILE}#0`]);
    expect(await idsFound(world, 'readers')).toEqual([]);
    expect(files.text(FILE)).toContain('tags: ["db"]');
  });

  it('is refused, new or known, if it has more text than is indexed of a file', async () => {
    const large = { title: 'Links', markdown: '貘'.repeat(700_000) };
    for (const page of [large, web.page, large]) {
      web.page = page;
      const saving = save();
      if (page === large) await expect(saving).rejects.toMatchObject({ code: 'not_readable' });
      else expect(await saving).toMatchObject({ chunks: 1 });
    }
    expect(files.paths).toEqual([FILE]);
    expect(await idsFound(world, 'readers')).toEqual([`${FILE}#0`]);
  });

  it('is saved once by two calls at the same time', async () => {
    const calls = [1, 2].map(() => save());
    expect((await Promise.all(calls)).map(({ isNew }) => isNew)).toEqual([true, false]);
    expect(files.paths).toEqual([FILE]);
  });

  it('leaves nothing behind if it cannot be fetched', async () => {
    web.fetch = () => Promise.reject(new KnowledgeError('fetch_failed', 'No.'));
    await expect(save()).rejects.toMatchObject({
      code: 'fetch_failed',
    });
    expect(files.paths).toEqual([]);
  });
});

describe('the file of a page', () => {
  it('gets a number if others have its name, and is found again', async () => {
    const urls = ['https://a.example/b/c', 'https://a.example/b-c', 'https://a.example/b+c'];
    const names = [];
    for (const url of urls) names.push((await save(url)).sourceFile);
    expect(names).toEqual(
      ['a-example-b-c', 'a-example-b-c-2', 'a-example-b-c-3'].map((name) => `${FOLDER}/${name}.md`),
    );
    for (const [index, url] of urls.entries()) {
      expect(await save(url)).toMatchObject({ sourceFile: names[index], isNew: false });
    }
  });

  it('is looked for in files with its name alone', async () => {
    for (const name of [
      'a-example-b-x',
      'a-example-b-12x',
      'a-example-b-x12',
      'other-12',
      'other',
    ]) {
      files.set(`${FOLDER}/${name}.md`, '# Page\n\ntext');
    }
    files.set(`${FOLDER}/a-example-b-12.md`, 'no frontmatter');
    await world.core.store.initialize(P);
    files.reads.length = 0;
    expect(await save('https://a.example/b')).toMatchObject({ isNew: true });
    const read = new Set(files.reads.filter((path) => path.startsWith(FOLDER)));
    expect([...read].toSorted()).toEqual([
      `${FOLDER}/a-example-b-12.md`,
      `${FOLDER}/a-example-b.md`,
    ]);
  });

  it('whose file may not be read is saved under another name', async () => {
    await save('https://a.example/b');
    files.refuse(`${FOLDER}/a-example-b.md`, 'no permission');
    files.refuse(`${FOLDER}/a-example-b-2.md`, 'no permission');
    const again = save('https://a.example/b');
    expect(await again).toMatchObject({ sourceFile: `${FOLDER}/a-example-b-2.md`, isNew: true });
  });

  it('is saved under the next name if its own is taken in the meantime', async () => {
    const create = files.createText.bind(files);
    files.createText = async (project, path, text) => {
      if (!path.endsWith('-2.md')) files.set(path, 'of somebody else');
      return create(project, path, text);
    };
    const page = await save('https://a.example/b');
    expect(page.sourceFile).toBe(`${FOLDER}/a-example-b-2.md`);
  });

  it('is refused if others keep taking its names', async () => {
    files.createText = async () => false;
    await expect(save('https://a.example/b')).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('that is the same is indexed again, but not written', async () => {
    await save('https://a.example/b');
    let writes = 0;
    const write = files.writeText.bind(files);
    files.writeText = async (...args) => {
      writes += 1;
      await write(...args);
    };
    expect(await save('https://a.example/b')).toMatchObject({ changed: false });
    expect(writes).toBe(0);
    web.page = { title: 'Another', markdown: web.page.markdown };
    expect(await save('https://a.example/b')).toMatchObject({ changed: true, title: 'Another' });
    expect(writes).toBe(1);
  });
});

it('the arguments of a page and the project are checked before fetching is found to be off', async () => {
  const off = coreInMemory().core;
  await expect(off.pages.savePage(P, { url: 'no' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  const resolve = () => Promise.reject(new KnowledgeError('project_not_found', 'No.'));
  const nowhere = coreInMemory({ directories: { resolve, resolveFile: resolve } }).core;
  await expect(nowhere.pages.savePage(P, { url: URL })).rejects.toMatchObject({
    code: 'project_not_found',
  });
  await expect(off.pages.savePage(P, { url: URL })).rejects.toMatchObject({
    code: 'fetch_not_allowed',
    message: expect.stringContaining('KNOWLEDGE_FETCH=1'),
  });
});

it('fetching is allowed by its option, and then only for public addresses', async () => {
  const project = new TempProject();
  const options = { variant: 'search-only', backend: 'memory', logger: 'silent' } as const;
  for (const [fetch, message] of [
    ['allowed', /only public/],
    ['forbidden', /Fetching web pages is off/],
  ] as const) {
    const service = composeService(configFrom({ ...options, fetch }), {});
    await expect(
      service.pages.save({ projectPath: project.path, url: 'http://127.0.0.1:1/' }),
    ).rejects.toThrow(message);
    await service.stop();
  }
  project.remove();
});
