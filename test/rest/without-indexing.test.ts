import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import { chunksIn, verifyDatabase } from '../support/database-inspection.js';
import { clientOfService, textOf } from '../support/mcp-client.js';
import { eventually, runCommand } from '../support/running-service.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import { type ServedService, serveHybrid } from '../support/served-service.js';
import { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';
import { localFetcher, WebServer } from '../support/web-server.js';

const projects = testProjects();

/** What an answer may lag behind the files: 3 s, and more on a busy machine. */
const SOON = { withinMs: 30_000 };

describe('a project that nobody indexes by hand', () => {
  let client: Client<ServedService>;
  let web: WebServer;
  let whales: string;
  let project: TempProject;
  let movedMs: number;

  beforeEach(async () => {
    whales = 'the narwhal sings';
    movedMs = 0;
    web = await WebServer.start((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end(`<title>Whales</title><p>${whales}</p>`);
    });
    const now = () => new Date(Date.now() + movedMs);
    client = await serveHybrid({
      watch: true,
      backends: { pages: localFetcher(), clock: { ...systemClock, now } },
    });
    project = projects.make({
      '.git/HEAD': 'ref: refs/heads/main',
      '.gitignore': 'private/\n',
      'docs/alpha.md': '## Alpha\nthe ibex climbs',
      'docs/beta.md': '## Beta\nthe okapi hides',
      'private/secret.md': 'the yak is private',
      'build/copy.md': 'the yak is built',
    });
  });
  afterEach(async () => {
    await client.service.stop();
    await web.stop();
  });

  const finds = (query: string, files: readonly string[]) =>
    eventually(async () => {
      const found = (await client.results(project, query)).map(({ chunk }) => chunk.sourceFile);
      return JSON.stringify(found.toSorted()) === JSON.stringify(files);
    }, SOON);
  const fetchPage = () => client.post('/x/urls', project, { url: web.url('/whales') });
  const saveNote = (content: string, id = 'pouch') =>
    client.post('/x/notes', project, { title: 'Pouches', content, id });
  const isIndexed = async () => {
    okBody(await client.post('/x/search', project, { query: 'ibex' }));
    await finds('ibex', ['docs/alpha.md']);
  };

  test('is left alone by stats and search, and indexed by the first search for people', async () => {
    expect(okBody(await client.stats(project)).totalChunks).toBe(0);
    const first = await client.search(project, 'ibex', { explain: true });
    expect(first.body.explain.notes[0]).toMatchObject({ code: 'never_indexed' });
    expect('indexing' in first.body.explain).toBe(false);
    const { explain } = okBody(
      await client.post('/x/search', project, { query: 'ibex', explain: true }),
    );
    expect(explain.indexing).toBe('started');
    await finds('ibex', ['docs/alpha.md']);
    await finds('okapi', ['docs/beta.md']);
    expect(await client.ids(project, 'yak')).toEqual([]);
  });

  test('finds a note as soon as it is saved, which is saved once', async () => {
    expect(await saveNote('the wallaby carries')).toMatchObject({ status: 201 });
    expect(await client.ids(project, 'wallaby')).toEqual([NOTE]);
    expect(okBody(await saveNote('the wallaby carries'))).toEqual({ duplicateOf: NOTE });
    expect(await saveNote('the koala sleeps all day')).toMatchObject({ status: 409 });
    expect(await client.ids(project, 'koala')).toEqual([]);
  });

  test('finds a web page as soon as it is fetched, as it is now', async () => {
    const { status, body } = await fetchPage();
    expect([status, body.changed]).toEqual([201, true]);
    expect(await client.ids(project, 'narwhal')).toEqual([`${body.sourceFile}#0`]);
    expect(okBody(await fetchPage())).toMatchObject({ changed: false });
    whales = 'the beluga whistles';
    expect(okBody(await fetchPage())).toMatchObject({ changed: true });
    expect(await client.ids(project, 'narwhal')).toEqual([]);
    expect(await client.ids(project, 'beluga')).toEqual([`${body.sourceFile}#0`]);
  });

  test('follows the habits of editors', async () => {
    expect(await saveNote('the wallaby carries')).toMatchObject({ status: 201 });
    await isIndexed();
    writeFileSync(project.at('docs/.alpha.md.tmp'), '## Alpha\nthe numbat digs');
    renameSync(project.at('docs/alpha.md'), project.at('docs/alpha.md~'));
    renameSync(project.at('docs/.alpha.md.tmp'), project.at('docs/alpha.md'));
    project.writeAll({ 'docs/#alpha.md#': 'the numbat', 'docs/.alpha.md.swp': 'the numbat' });
    await finds('numbat', ['docs/alpha.md']);
    await finds('ibex', []);
    project.write('docs/beta.md', '');
    project.write('docs/beta.md', '## Beta\nthe okapi hides well');
    await finds('hides well', ['docs/beta.md']);
    project.write('.knowledge/memory/gotchas.md', '## Locks\nthe wombat waits');
    await finds('wombat', ['.knowledge/memory/gotchas.md']);
    project.write('.knowledge/notes/pouch.md', '# Pouches\n\nthe wallaby rests');
    await finds('wallaby rests', ['.knowledge/notes/pouch.md']);
  });

  test('soon shows no file that was deleted', async () => {
    await isIndexed();
    project.write('docs/gamma.md', 'the quokka smiles');
    await finds('quokka', ['docs/gamma.md']);
    project.delete('docs/gamma.md');
    await finds('quokka', []);
  });

  test('keeps the counts of files whose folder was renamed', async () => {
    await isIndexed();
    const [before] = chunksIn(project.database, "id = 'docs/alpha.md#0'");
    renameSync(project.at('docs'), project.at('guides'));
    await finds('ibex', ['guides/alpha.md']);
    const [after] = chunksIn(project.database, "id = 'guides/alpha.md#0'");
    expect(after).toMatchObject({ created_at: before?.created_at });
    expect(after?.retrieval_count).toBeGreaterThanOrEqual(Number(before?.retrieval_count));
  });

  test('loses chunks that were not retrieved within 90 days, until it is rebuilt', async () => {
    project.write('docs/alpha.md', '## Alpha\nthe numbat digs again');
    project.write('docs/beta.md', '## Beta\nthe okapi hides again');
    project.write('.knowledge/memory/gotchas.md', '## Locks\nthe wombat waits again');
    project.write('.knowledge/notes/pouch.md', '# Pouches\n\nthe wallaby rests again');
    whales = 'the beluga whistles again';
    expect(await fetchPage()).toMatchObject({ status: 201 });
    okBody(await client.post('/x/reindex', project));
    movedMs = 91 * DAY_MS;
    expect(okBody(await client.post('/x/prune', project, { dryRun: true })).deleted).toBe(5);
    expect(okBody(await client.post('/x/prune', project)).deleted).toBe(5);
    // After this every file is looked at, not only the one that is new.
    project.write('.gitignore', 'private/\nmore/\n');
    project.write('docs/delta.md', 'the dugong dives');
    await finds('dugong', ['docs/delta.md']);
    expect(await client.ids(project, 'again')).toEqual([]);
    okBody(await client.rebuild(project));
    expect(await client.ids(project, 'again')).toHaveLength(5);
    expect(okBody(await client.post('/x/prune', project)).deleted).toBe(0);
  });

  test('works at once after it was moved or copied, and stays whole', async () => {
    project.write('.knowledge/memory/gotchas.md', '## Locks\nthe wombat waits');
    expect(await saveNote('the wallaby carries')).toMatchObject({ status: 201 });
    expect(await fetchPage()).toMatchObject({ status: 201 });
    await isIndexed();
    const copy = new TempProject({}, project.appDir);
    cpSync(project.path, copy.path, { recursive: true });
    const moved = `${project.path}-moved`;
    renameSync(project.path, moved);
    project = projects.make({}, project.appDir, moved);
    for (const there of [project, copy]) {
      expect(await client.ids(there, 'ibex')).toEqual(['docs/alpha.md#0']);
      expect(await client.ids(there, 'wallaby')).toEqual([NOTE]);
      expect(await client.ids(there, 'narwhal')).toHaveLength(1);
    }
    project.write('docs/epsilon.md', 'the echidna');
    await finds('echidna', ['docs/epsilon.md']);
    expect(await client.ids(copy, 'echidna')).toEqual([]);
    expect(await client.ids(project, 'wombat')).toHaveLength(1);
    const { chunk } = await client.chunk(project, NOTE);
    expect(chunk).toMatchObject({ id: NOTE, projectPath: moved });
    verifyDatabase(project.database);
    copy.remove();
  });
});

describe('a service that was started as its users do', () => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient('hybrid');
  });
  afterAll(() => client.service.stop());

  test('watches the projects that are searched', async () => {
    const project = projects.make({ 'a.md': 'the ibex' });
    okBody(await client.post('/x/search', project, { query: 'ibex', explain: true }));
    await eventually(async () => (await client.ids(project, 'ibex')).length === 1, SOON);
    project.write('a.md', 'the okapi');
    await eventually(async () => (await client.ids(project, 'okapi')).length === 1, SOON);
  });

  test.each([
    ['its store is deleted', (at: TempProject) => at.delete('.knowledge')],
    [
      'another project takes its place',
      (at: TempProject) => {
        renameSync(at.path, projects.make({}).at('old'));
        at.write('c.md', 'the ibex');
      },
    ],
    [
      'its folder is deleted and comes back',
      (at: TempProject) => {
        at.remove();
        at.write('a.md', 'the ibex');
      },
    ],
  ])('indexes a project again where %s', async (_, change) => {
    const project = projects.make({ 'a.md': 'the tapir' });
    okBody(await client.rebuild(project));
    project.write('a.md', 'the ibex');
    await eventually(async () => (await client.ids(project, 'ibex')).length === 1, SOON);
    change(project);
    await eventually(async () => (await client.ids(project, 'ibex')).length === 1, SOON);
    project.write('b.md', 'the okapi');
    await eventually(async () => (await client.ids(project, 'okapi')).length === 1, SOON);
  });

  test('reads only reflections if nothing else was requested', async () => {
    const reflection = '.knowledge/features/f/reflection.md';
    const project = projects.make({ 'a.md': 'the ibex', [reflection]: 'the tapir' });
    await client.indexed(project, 'reflections');
    project.write(reflection, 'the okapi');
    await eventually(async () => (await client.ids(project, 'okapi')).length === 1, SOON);
    for (const sidecar of ['', '-wal', '-shm']) project.delete(`.knowledge/knowledge.db${sidecar}`);
    await eventually(async () => (await client.ids(project, 'okapi')).length === 1, SOON);
    expect(await client.ids(project, 'ibex')).toEqual([]);
  });
});

/** With two workers, of which one indexes; a service without any knows what it does itself. */
test('every interface reports a first indexing until it is done', async () => {
  const client = await startClient('hybrid', { KNOWLEDGE_WORKERS: '2' });
  const project = projects.make(
    Object.fromEntries(Array.from({ length: FILES }, (_, n) => [`docs/${n}.md`, `the ibex ${n}`])),
  );
  const explained = async () => {
    const { explain } = okBody(
      await client.post('/x/search', project, { query: 'okapi', explain: true }),
    );
    return explain.indexing;
  };
  const agent = await clientOfService(client.service.url);
  const tool = (name: string, args: object) =>
    agent.callTool({ name, arguments: { ...args, project: project.path } });
  expect(await explained()).toBe('started');
  // Another program lets nobody write meanwhile.
  const holder = openDatabase(project.database, { timeout: 0 });
  while (!hasBegun(holder));
  expect(okBody(await client.stats(project)).totalChunks).toBeLessThan(FILES);
  expect(await explained()).toBe('running');
  expect(okBody(await client.status(project)).indexing).toBe('running');
  expect(await command('status', project)).toContain('\nindexing ');
  expect(await command('search', project, 'okapi')).toContain(FIRST_INDEXING);
  const askedAt = performance.now();
  const found = textOf(await tool('search', { query: 'okapi' }));
  expect(performance.now() - askedAt).toBeGreaterThan(4_900);
  expect(found).toMatch(new RegExp(`${FIRST_INDEXING}.* Try again`));
  expect(textOf(await tool('status', {}))).toContain(FIRST_INDEXING);
  holder.close();
  await eventually(async () => !('indexing' in (await client.status(project)).body), SOON);
  expect(await explained()).toBe(undefined);
  expect(okBody(await client.stats(project)).totalChunks).toBe(FILES);
  expect(textOf(await tool('search', { query: 'okapi' }))).not.toContain(FIRST_INDEXING);
  await agent.close();
  await client.service.stop();
});

/** So many that the lock is had before they are indexed. */
const FILES = 1500;

/** Takes the lock in one of the moments in which the service does not hold it. */
function hasBegun(db: Database): boolean {
  try {
    db.exec('BEGIN IMMEDIATE');
    return true;
  } catch {
    return false;
  }
}

const FIRST_INDEXING = 'The project is being indexed for the first time';

async function command(name: string, { path }: TempProject, ...words: readonly string[]) {
  const environment = { COLUMNS: '200', DATA_DIR: path };
  return (await runCommand([name, ...words], path, environment)).out;
}

const NOTE = '.knowledge/notes/pouch.md#0';
const DAY_MS = 24 * 60 * 60 * 1000;
