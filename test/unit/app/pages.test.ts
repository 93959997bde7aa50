import { beforeEach, describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { configOf } from '../../../src/app/config/read-config.js';
import { createCore } from '../../../src/app/wiring/create-core.js';
import { createService } from '../../../src/app/wiring/create-service.js';
import { searchOnlyVariant } from '../../../src/app/wiring/variant-modules.js';
import { KnowledgeError } from '../../../src/domain/errors.js';
import { FakePageFetcher } from '../../fakes/fake-page-fetcher.js';
import { portsInMemory } from '../../support/ports-in-memory.js';
import { TempProject } from '../../support/temp-project.js';

const P = '/project';
const URL = 'https://sqlite.example/wal.html?v=1#readers';
const FILE = '.knowledge/urls/sqlite-example-wal-html-v-1.md';

let ports: ReturnType<typeof portsInMemory>;
let web: FakePageFetcher;
let core: ReturnType<typeof createCore>;

beforeEach(() => {
  ports = portsInMemory();
  web = new FakePageFetcher();
  const frontmatter = { parse: parseFrontmatter };
  core = createCore({ ...ports, frontmatter, pages: web }, searchOnlyVariant());
});

describe('a page', () => {
  it('is kept as a file with its address, its title and the date, and found at once', async () => {
    const saved = await core.pages.savePage(P, { url: URL, tags: ['db'], importance: 0.9 });
    expect(saved).toEqual({
      sourceFile: FILE,
      title: 'WAL mode',
      chunks: 1,
      isNew: true,
      changed: true,
    });
    expect(ports.files.text(FILE)).toBe(
      `---\nsource: "https://sqlite.example/wal.html?v=1"\ntitle: "WAL mode"\nfetched: "${ports.clock
        .now()
        .toISOString()}"\netag: "\\"1\\""\ntags: ["db"]\nimportance: 0.9\n---\n# WAL mode\n\n## Readers\n\nReaders do not block writers.\n`,
    );
    const { results } = await core.store.search(P, 'readers');
    expect(results.map(({ chunk }) => chunk)).toMatchObject([
      { sourceType: 'url', sourceFile: FILE, tags: ['db'], importance: 0.9 },
    ]);
  });

  it('is not sent again while its server says that it is the same', async () => {
    await core.pages.savePage(P, { url: URL });
    const before = ports.files.text(FILE);
    ports.clock.advance(1000);
    const again = await core.pages.savePage(P, { url: `${URL}-other-part` });
    expect(again).toMatchObject({ isNew: false, changed: false, chunks: 1, title: 'WAL mode' });
    expect(web.requests[1]).toMatchObject({ known: { etag: '"1"' } });
    expect(ports.files.text(FILE)).toBe(before);
  });

  it('is kept with its date where a server sends the same text again', async () => {
    await core.pages.savePage(P, { url: URL });
    const before = ports.files.text(FILE);
    web.page = { ...web.page, etag: '"2"' };
    ports.clock.advance(1000);
    expect(await core.pages.savePage(P, { url: URL })).toMatchObject({ changed: false });
    expect(ports.files.text(FILE)).toBe(before?.replace('\\"1\\"', '\\"2\\"'));
  });

  it('is replaced where it has changed, and keeps its tags', async () => {
    await core.pages.savePage(P, { url: URL, tags: ['db'] });
    web.page = { title: 'WAL', markdown: 'Checkpoints matter.' };
    const again = await core.pages.savePage(P, { url: URL });
    expect(again).toMatchObject({ sourceFile: FILE, isNew: false, changed: true, title: 'WAL' });
    expect(await found('checkpoints')).toEqual([FILE]);
    expect(await found('readers')).toEqual([]);
    expect(ports.files.text(FILE)).toContain('tags: ["db"]');
  });

  it('is saved once by two calls at the same time', async () => {
    const calls = [1, 2].map(() => core.pages.savePage(P, { url: URL }));
    expect((await Promise.all(calls)).map(({ isNew }) => isNew)).toEqual([true, false]);
    expect(ports.files.paths).toEqual([FILE]);
  });

  it('leaves nothing behind where it cannot be fetched', async () => {
    web.fetch = () => Promise.reject(new KnowledgeError('fetch_failed', 'No.'));
    await expect(core.pages.savePage(P, { url: URL })).rejects.toMatchObject({
      code: 'fetch_failed',
    });
    expect(ports.files.paths).toEqual([]);
  });
});

describe('an argument of a page', () => {
  it.each([
    [{ url: 'ftp://a.example/' }, 'url'],
    [{ url: 'https://me@a.example/' }, 'url'],
    [{ url: 'a.example' }, 'url'],
    [{ url: `https://a.example/${'x'.repeat(2000)}` }, 'url'],
    [{ url: URL, tags: 'db' }, 'tags'],
    [{ url: URL, tags: [''] }, 'tags'],
    [{ url: URL, importance: 2 }, 'importance'],
    [{ url: URL, importance: Number.NaN }, 'importance'],
  ])('is refused by its name: %j', async (page, name) => {
    await expect(core.pages.savePage(P, page as never)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(new RegExp(`^${name} must be`)),
    });
    expect(web.requests).toEqual([]);
  });

  it('is checked, and so is the project, before fetching is found to be off', async () => {
    const off = createCore(portsInMemory(), searchOnlyVariant());
    await expect(off.pages.savePage(P, { url: 'no' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const missing = () => Promise.reject(new KnowledgeError('project_not_found', 'No.'));
    const nowhere = createCore(
      { ...portsInMemory(), directories: { resolve: missing } },
      searchOnlyVariant(),
    );
    await expect(nowhere.pages.savePage(P, { url: URL })).rejects.toMatchObject({
      code: 'project_not_found',
    });
    await expect(off.pages.savePage(P, { url: URL })).rejects.toMatchObject({
      code: 'fetch_not_allowed',
      message: expect.stringContaining('KNOWLEDGE_FETCH=1'),
    });
  });
});

it('fetching is allowed by its option, and then for public addresses alone', async () => {
  const project = new TempProject();
  const options = { variant: 'search-only', backend: 'memory', logger: 'silent' } as const;
  for (const [fetch, message] of [
    ['allowed', /not public/],
    ['forbidden', /Fetching web pages is off/],
  ] as const) {
    const service = createService(configOf({ ...options, fetch }));
    await expect(
      service.pages.savePage(project.path, { url: 'http://127.0.0.1:1/' }),
    ).rejects.toThrow(message);
    await service.stop();
  }
  project.remove();
});

async function found(query: string): Promise<readonly string[]> {
  const { results } = await core.store.search(P, query);
  return results.map(({ chunk }) => chunk.sourceFile);
}
