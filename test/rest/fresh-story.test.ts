import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunksIn, execute, verifyDatabase } from '../support/database-inspection.js';
import { eventually } from '../support/running-service.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import { TempProject, TempProjects } from '../support/temp-project.js';

const projects = new TempProjects();
afterAll(() => projects.removeAll());

/** What an answer may lag behind the files. */
const SOON = { withinMs: 3_000 };

describe('a project that nobody ever indexes', () => {
  let client: Client;
  let project: TempProject;
  beforeAll(async () => {
    client = await startClient('hybrid');
    project = projects.make({
      '.git/HEAD': 'ref: refs/heads/main',
      '.gitignore': 'private/\n',
      'docs/alpha.md': '## Alpha\nthe ibex climbs',
      'docs/beta.md': '## Beta\nthe okapi hides',
      'private/secret.md': 'the yak is private',
      'build/copy.md': 'the yak is built',
    });
  });
  afterAll(() => client.service.stop());

  const finds = (query: string, files: readonly string[]) =>
    eventually(async () => {
      const found = (await client.results(project, query)).map(({ chunk }) => chunk.sourceFile);
      return JSON.stringify(found.toSorted()) === JSON.stringify(files);
    }, SOON);

  test('is left alone by stats, and indexed by its first search', async () => {
    expect((await client.stats(project)).headers.get('knowledge-indexing')).toBe(null);
    const first = await client.search(project, 'ibex', { explain: true });
    expect(first.headers.get('knowledge-indexing')).toBe('started');
    expect(first.body.explain.indexing).toBe('started');
    expect((await client.search(project, 'ibex')).headers.get('knowledge-indexing')).toBe(null);
    await finds('ibex', ['docs/alpha.md']);
    await finds('okapi', ['docs/beta.md']);
    expect(await client.ids(project, 'yak')).toEqual([]);
  });

  test('follows the habits of editors', async () => {
    writeFileSync(project.at('docs/.alpha.md.tmp'), '## Alpha\nthe numbat digs');
    renameSync(project.at('docs/alpha.md'), project.at('docs/alpha.md~'));
    renameSync(project.at('docs/.alpha.md.tmp'), project.at('docs/alpha.md'));
    await finds('numbat', ['docs/alpha.md']);
    await finds('ibex', []);
    project.write('docs/beta.md', '');
    project.write('docs/beta.md', '## Beta\nthe okapi hides well');
    await finds('hides well', ['docs/beta.md']);
    project.write('.knowledge/memory/gotchas.md', '## Locks\nthe wombat waits');
    await finds('wombat', ['.knowledge/memory/gotchas.md']);
  });

  test('never shows a file that was deleted', async () => {
    project.write('docs/gamma.md', 'the quokka smiles');
    await finds('quokka', ['docs/gamma.md']);
    project.delete('docs/gamma.md');
    expect(await client.ids(project, 'quokka')).toEqual([]);
  });

  test('keeps the counts of files whose folder was renamed', async () => {
    const [before] = chunksIn(project.database, "id = 'docs/alpha.md#0'");
    renameSync(project.at('docs'), project.at('guides'));
    await finds('numbat', ['guides/alpha.md']);
    const [after] = chunksIn(project.database, "id = 'guides/alpha.md#0'");
    expect(after).toMatchObject({ created_at: before?.created_at });
    expect(after?.retrieval_count).toBeGreaterThanOrEqual(Number(before?.retrieval_count));
  });

  test('loses what is pruned until it is rebuilt', async () => {
    execute(
      project.database,
      "UPDATE chunks SET retrieval_count = 0, last_retrieved_at = NULL, created_at = '2020-01-01T00:00:00.000Z'",
    );
    expect(okBody(await client.post('/x/prune', project)).deleted).toBe(3);
    project.write('guides/delta.md', 'the dugong dives');
    await finds('dugong', ['guides/delta.md']);
    expect(await client.ids(project, 'numbat OR okapi OR wombat')).toEqual([]);
    okBody(await client.rebuild(project));
    expect(await client.ids(project, 'numbat OR okapi OR wombat')).toHaveLength(3);
  });

  test('works at once where it was moved or copied to, and stays whole', async () => {
    const copy = new TempProject({}, project.appDir);
    cpSync(project.path, copy.path, { recursive: true });
    const moved = `${project.path}-moved`;
    renameSync(project.path, moved);
    project = projects.make({}, project.appDir, moved);
    expect(await client.ids(project, 'numbat')).toEqual(['guides/alpha.md#0']);
    expect(await client.ids(copy, 'numbat')).toEqual(['guides/alpha.md#0']);
    project.write('guides/epsilon.md', 'the echidna');
    await finds('echidna', ['guides/epsilon.md']);
    expect(await client.ids(copy, 'echidna')).toEqual([]);
    expect(await client.ids(project, 'wombat')).toHaveLength(1);
    verifyDatabase(project.database);
    rmSync(copy.path, { recursive: true });
  });

  test('is read only when asked to where the setting says so', async () => {
    const quiet = projects.make({ 'a.md': 'the ibex' });
    quiet.writeSettings({ autoReindex: false });
    const first = await client.search(quiet, 'ibex');
    expect([first.status, first.headers.get('knowledge-indexing')]).toEqual([200, null]);
  });
});
