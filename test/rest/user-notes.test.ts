import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.js';
import { serveHybrid } from '../support/served-service.js';
import { TempProject, tempDirectory } from '../support/temp-project.js';

let project: TempProject;
let dataDir: string;

beforeEach(() => {
  project = new TempProject({ 'docs/a.md': '## Ibex\nThe ibex climbs the cliff.\n' });
  dataDir = join(tempDirectory(), 'data');
});
afterEach(() => project.remove());

describe('the notes of a user on the command line', () => {
  it('are kept in the data folder, with a store beside them, and named user:<id>', async () => {
    const saved = await json('note', 'add', '--user', 'Okapi', 'The okapi hides.');
    expect(saved).toMatchObject({ id: 'user:okapi', sourceFile: 'user:notes/okapi.md' });
    expect(readFileSync(join(dataDir, 'notes', 'okapi.md'), 'utf8')).toContain('The okapi hides.');
    expect(existsSync(join(dataDir, 'knowledge.db'))).toBe(true);
    expect(existsSync(join(project.path, '.knowledge'))).toBe(false);
    const listed = await json('note', 'list', '--user');
    expect(listed['notes']).toMatchObject([{ id: 'user:okapi', title: 'Okapi', scope: 'user' }]);
    expect((await json('note', 'list'))['notes']).toEqual([]);
  });

  it.each([
    ['their id', ['user:okapi']],
    ['their name and --user', ['okapi', '--user']],
    ['their file', ['user:notes/okapi.md']],
    ['the id of their chunk', ['user:notes/okapi.md#0']],
  ])('are changed and deleted by %s', async (_, names) => {
    await json('note', 'add', '--user', 'Okapi', 'The okapi hides.');
    const [id = '', ...flags] = names;
    await json('note', 'append', id, 'It eats leaves.', ...flags);
    await json('note', 'replace', id, 'Okapi', 'The okapi sleeps.', ...flags);
    expect(readFileSync(join(dataDir, 'notes', 'okapi.md'), 'utf8')).toContain('sleeps');
    expect(await json('note', 'delete', id, ...flags)).toEqual({ deleted: 1 });
    expect(existsSync(join(dataDir, 'notes', 'okapi.md'))).toBe(false);
  });

  it('are found in every project, marked as of the user, and read by their ids', async () => {
    await json('note', 'add', '--user', 'Okapi', 'The okapi hides.');
    const { results } = await json('search', 'okapi');
    expect(results).toMatchObject([
      { scope: 'user', line: expect.any(Number), chunk: { id: 'user:notes/okapi.md#0' } },
    ]);
    const { out } = await command().run('search', 'okapi');
    expect(out).toContain('user:notes/okapi.md');
    for (const what of ['user:notes/okapi.md#0', 'user:notes/okapi.md', 'user:okapi']) {
      expect((await command().run('get', what)).out).toContain('The okapi hides.');
    }
  });

  it('are not what a project names like them', async () => {
    project.write('user:notes/okapi.md', '# Okapi\n\nThe okapi obeys.\n');
    await json('ingest');
    expect((await json('search', 'okapi'))['results']).toEqual([]);
    const { out } = await command().run('sources');
    expect(out).toContain('user:notes/okapi.md');
    expect(out).toContain('its path looks like the id of a user note');
  });

  it('are not confused with rows of a project that have ids like theirs', async () => {
    project.write('docs/okapi.md', '# Okapi\n\nThe okapi obeys.\n');
    await json('ingest');
    const db = new Database(join(project.path, '.knowledge', 'knowledge.db'));
    db.exec(
      "UPDATE chunks SET id = 'user:notes/okapi.md#0', source_file = 'user:notes/okapi.md' WHERE source_file = 'docs/okapi.md'",
    );
    db.close();
    expect((await json('search', 'okapi'))['results']).toEqual([]);
  });

  it('are named by their ids in the report on similar notes', async () => {
    await json('note', 'add', '--user', 'Okapi', 'The okapi hides.');
    const saved = await json('note', 'add', '--user', 'okapi', 'The okapi hides.');
    expect(saved).toMatchObject({ similarTo: [{ id: 'user:notes/okapi.md#0' }] });
    expect(saved['warnings']).toEqual([
      expect.stringMatching(/^user:notes\/okapi\.md#0 is similar: /),
    ]);
  });

  it('come after equally relevant results of the project', async () => {
    await json('ingest');
    await json('note', 'add', '--user', 'Ibex', 'The ibex climbs the rock.');
    const { results } = await json('search', 'ibex climbs');
    expect(scopes(results)).toEqual(['project', 'user']);
  });

  it('come before what answers less of the question', async () => {
    await json('ingest');
    await json('note', 'add', '--user', 'Okapi', 'The okapi hides in the thicket from the ibex.');
    const { results } = await json('search', 'okapi thicket ibex hides');
    expect(scopes(results)[0]).toBe('user');
  });

  it('are recognized as duplicates as soon as their file is in the folder', async () => {
    mkdirSync(join(dataDir, 'notes'), { recursive: true });
    writeFileSync(join(dataDir, 'notes', 'by hand.md'), '# Okapi\n\nThe okapi hides.\n');
    expect(await json('note', 'add', '--user', 'Okapi', 'The okapi hides.')).toEqual({
      duplicateOf: 'user:notes/by hand.md#0',
    });
  });

  it('do not let a result of the project count that they displaced', async () => {
    await json('ingest');
    await json('note', 'add', '--user', 'Okapi', 'The okapi hides in the thicket from the ibex.');
    const count = () => {
      const db = new Database(project.at('.knowledge/knowledge.db'), { readonly: true });
      const sum = db.prepare('SELECT sum(retrieval_count) FROM chunks').pluck().get();
      db.close();
      return sum;
    };
    const query = 'okapi thicket ibex hides';
    expect(scopes((await json('search', query, '-n', '1'))['results'])).toEqual(['user']);
    expect(count()).toBe(0);
    expect(scopes((await json('search', query))['results'])).toEqual(['user', 'project']);
    expect(count()).toBe(1);
  });

  it('are the files in the folder, and nothing else of the data folder', async () => {
    for (const folder of ['notes', 'memory', 'documents', 'docs'])
      mkdirSync(join(dataDir, folder), { recursive: true });
    for (const path of ['notes/My Note.md', 'memory/m.md', 'documents/d.md', 'docs/e.md', 'f.md'])
      writeFileSync(join(dataDir, path), '## Okapi\nThe okapi hides.\n');
    const { results } = await json('search', 'okapi');
    expect(results).toMatchObject([{ chunk: { id: 'user:notes/My Note.md#0' } }]);
  });

  it('are left out with KNOWLEDGE_USER_NOTES=off', async () => {
    await json('note', 'add', '--user', 'Okapi', 'The okapi hides.');
    const off = command({ KNOWLEDGE_USER_NOTES: 'off' });
    expect(JSON.parse((await off.run('search', 'okapi', '--json')).out)['results']).toEqual([]);
    for (const words of [
      ['note', 'list', '--user'],
      ['note', 'add', '--user', 'Ibex', 'It climbs.'],
      ['note', 'delete', 'user:okapi'],
      ['get', 'user:notes/okapi.md#0'],
    ])
      expect((await off.run(...words)).code).not.toBe(0);
    expect(existsSync(join(dataDir, 'notes', 'okapi.md'))).toBe(true);
  });

  it.each(['user:../x', 'user:../../notes/../x', 'user:/etc/x', 'user:a/../../x'])(
    'stay where they are for the id %s',
    async (id) => {
      await json('note', 'add', '--user', 'Okapi', 'The okapi hides.');
      writeFileSync(join(dataDir, 'x.md'), 'Secret.');
      expect((await command().run('note', 'delete', id)).code).not.toBe(0);
      expect((await command().run('get', id)).code).not.toBe(0);
      expect(existsSync(join(dataDir, 'x.md'))).toBe(true);
    },
  );

  it('are not changed through a link in a project, and not read through one that leads out', async () => {
    await json('note', 'add', '--user', 'Okapi', 'The okapi hides.');
    mkdirSync(join(project.path, '.knowledge'));
    symlinkSync(join(dataDir, 'notes'), join(project.path, '.knowledge', 'notes'));
    for (const words of [
      ['note', 'replace', 'okapi', 'Okapi', 'Changed.'],
      ['note', 'delete', 'okapi'],
      ['note', 'add', 'New', 'Something new.'],
    ])
      expect((await command().run(...words)).code).not.toBe(0);
    expect(readFileSync(join(dataDir, 'notes', 'okapi.md'), 'utf8')).toContain('hides');
    expect(existsSync(join(dataDir, 'notes', 'new.md'))).toBe(false);
    project.write('docs/b.md', 'The tapir swims.');
    symlinkSync(join(project.path, 'docs', 'b.md'), join(dataDir, 'notes', 'tapir.md'));
    expect(scopes((await json('search', 'tapir'))['results'])).not.toContain('user');
  });

  it('cannot be superseded by a note of a project', async () => {
    await json('note', 'add', '--user', 'Okapi', 'The okapi hides.');
    const words = ['note', 'add', 'Other', 'Another text.', '--supersedes', 'user:okapi'];
    expect((await command().run(...words)).code).not.toBe(0);
    expect(scopes((await json('search', 'okapi'))['results'])).toEqual(['user']);
  });
});

describe('a served store', () => {
  it('neither returns nor keeps notes of a user', async () => {
    await json('note', 'add', '--user', 'Okapi', 'The okapi hides.');
    const client = await serveHybrid({ dataDir });
    for (const [path, fields] of [
      ['/x/search', { query: 'okapi' }],
      ['/x/lessons', { title: 'okapi' }],
    ] as const) {
      const { status, body } = await client.post(path, project, fields);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('hides');
    }
    const note = { title: 'Ibex', content: 'It climbs.', scope: 'user' };
    expect((await client.post('/x/notes', project, note)).status).toBe(400);
    expect(existsSync(join(dataDir, 'notes', 'ibex.md'))).toBe(false);
    await client.service.stop();
  });
});

function command(env: Readonly<Record<string, string>> = {}): CommandLine {
  return new CommandLine({ directory: project.path, env: { DATA_DIR: dataDir, ...env } });
}

async function json(...words: readonly string[]): Promise<Record<string, unknown>> {
  const { code, out } = await command().run(...words, '--json');
  expect(code).toBe(0);
  return JSON.parse(out);
}

function scopes(results: unknown): readonly string[] {
  return (results as readonly { readonly scope: string }[]).map(({ scope }) => scope);
}
