import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { chunksIn, ISO_DATE, verifyDatabase } from '../support/database-inspection.js';
import { okBody, startClient } from '../support/running-service-calls.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

const projects = testProjects();
const client = await startClient('hybrid');
afterAll(() => client.service.stop());

test.each([
  ['reflections', '.knowledge/features/f/reflection.md'],
  ['reflections', undefined],
  ['agent-outputs', '.knowledge/features/f/agent-output.md'],
] as const)(
  'after %s alone (%s), files of other kinds wait until they are asked for',
  async (kind, file) => {
    const others = ['.knowledge/notes/n.md', '.knowledge/memory/m.md', 'docs/d.md'];
    const project = projects.make(
      Object.fromEntries(others.map((name) => [name, 'The stoat hides.'])),
    );
    if (file !== undefined) project.write(file, 'The pelican rests.');
    expect(await client.indexed(project, kind)).toBe(file === undefined ? 0 : 1);
    for (const name of others) project.write(name, 'The stoat hides again.');
    await pause(WATCHED_WITHIN_MS);
    expect(files(project)).toEqual(file === undefined ? [] : [file]);
    okBody(await client.rebuild(project));
    expect(files(project)).toEqual([...(file === undefined ? [] : [file]), ...others].toSorted());
  },
);

/** Changes are visible by then. */
const WATCHED_WITHIN_MS = 3500;

test('each kind of source has the rows that are specified, and goes with its files', async () => {
  const project = projects.make({
    'docs/guide.md': '# The guide\n\nOne paragraph.\n\nAnother.\n',
    '.knowledge/memory/_index.md': 'An index of ibexes.',
    '.knowledge/memory/deep/nested.md': 'not directly there',
  });
  project.writeReflection('f', '---\ntags: [a, b]\n---\nBefore.\n\n## Two ##\nSecond.\n');
  project.writeOutput('f', `${'x'.repeat(5000)}${'y'.repeat(1000)}${'z'.repeat(1000)}`);
  project.writeMemory('gotchas', '---\nimportance: 0.7\n---\n# gotchas\n\n### A lesson\nof ibex\n');
  expect(await client.indexed(project, 'reflections')).toBe(1);
  expect(await client.indexed(project, 'agent-outputs')).toBe(1);
  okBody(await client.rebuild(project));
  const rows = chunksIn(project.database);
  const tail = 'y'.repeat(1000) + 'z'.repeat(1000);
  const [output, reflection] = [project.output('f'), project.reflection('f')];
  expect(
    rows.map((row) => [
      row.id,
      row.source_type,
      row.heading,
      row.content,
      row.tags,
      row.importance,
    ]),
  ).toEqual([
    [`${output}#0`, 'agent_output', 'Agent output: f', tail, null, 0.6],
    [`${reflection}#0`, 'reflection', 'Reflection: f', 'Before.', '["a","b"]', 0.8],
    [`${reflection}#1`, 'reflection', 'Two', 'Second.', null, 0.8],
    ['.knowledge/memory/gotchas.md#0', 'file', 'gotchas', '### A lesson\nof ibex', null, 0.7],
    ['docs/guide.md#0', 'file', 'The guide', 'One paragraph.', null, 0.5],
    ['docs/guide.md#1', 'file', 'The guide', 'Another.', null, 0.5],
  ]);
  expect(rows[2]).toMatchObject({
    project_path: project.path,
    chunk_index: 1,
    created_at: expect.stringMatching(ISO_DATE),
    updated_at: expect.stringMatching(ISO_DATE),
    last_retrieved_at: null,
    retrieval_count: 0,
    hype_queries: null,
    hype_embeddings: null,
  });
  project.delete('.knowledge/features/f');
  expect(await client.indexed(project, 'reflections')).toBe(0);
  expect(files(project)).toContain(output);
  expect(await client.indexed(project, 'agent-outputs')).toBe(0);
  expect(files(project)).toEqual(['.knowledge/memory/gotchas.md', 'docs/guide.md']);
});

test('settings hold for file chunks without an importance, and cut unchanged files again', async () => {
  const project = projects.make({ 'a.md': '---\nimportance: 0.9\n---\none\n\ntwo' });
  project.write('b.md', 'word '.repeat(100));
  project.writeReflection('f', 'reflection');
  okBody(await client.rebuild(project));
  project.writeSettings({ maxChunkSize: 65, defaultImportance: 0.3 });
  okBody(await client.rebuild(project));
  const found = chunksIn(project.database).map((row) => [row.id, row.importance]);
  expect(found).toEqual([
    ['.knowledge/features/f/reflection.md#0', 0.8],
    ['a.md#0', 0.9],
    ['a.md#1', 0.3],
    ['b.md#0', 0.3],
    ['b.md#1', 0.3],
  ]);
});

test('many ingestions at once on one project leave one generation of every file', async () => {
  const project = projects.make();
  for (let i = 0; i < 20; i += 1) project.writeReflection(`f${i}`, `one ${i}\n\ntwo ${i}`);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      i % 2 === 0 ? client.post('/ingest/reflections', project) : client.rebuild(project),
    ),
  );
  for (const answer of answers) expect(answer.status).toBe(200);
  expect(chunksIn(project.database)).toHaveLength(40);
  verifyDatabase(project.database);
});

test('links: out of the project are not followed, inside they are the file itself, loops end', async () => {
  const outside = projects.make({ 's.md': 'secret gnu', 'x/reflection.md': 'secret gnu' });
  const project = projects.make({ 'a.md': 'open gnu', '.knowledge/features/f2/keep': '' });
  project.writeReflection('real', 'a reflection of a gnu');
  mkdirSync(project.at('.knowledge/memory'));
  for (const [target, link] of [
    [outside.at('s.md'), 'out.md'],
    [outside.path, 'outdir'],
    [outside.at('x'), '.knowledge/features/linked'],
    ['real', '.knowledge/features/alias'],
    [outside.at('s.md'), project.reflection('f2')],
    [outside.at('s.md'), project.output('f2')],
    [outside.at('s.md'), '.knowledge/memory/leak.md'],
    ['.', 'loop'],
    ['self.md', 'self.md'],
    ['nowhere', 'dangling.md'],
    ['a.md', 'inside.md'],
  ] as const) {
    symlinkSync(target, project.at(link));
  }
  okBody(await client.rebuild(project));
  await client.indexed(project, 'reflections');
  await client.indexed(project, 'agent-outputs');
  expect(files(project)).toEqual([project.reflection('real'), 'a.md']);
  verifyDatabase(project.database);
});

test('an application directory or a database that is a link is refused', async () => {
  const other = projects.make({ '.knowledge/keep': '' });
  const [linked, linkedFile] = [projects.make(), projects.make({ '.knowledge/keep': '' })];
  symlinkSync(other.at('.knowledge'), linked.at('.knowledge'));
  symlinkSync(other.at('target.db'), linkedFile.database);
  for (const project of [linked, linkedFile]) {
    expect((await client.search(project, 'x')).status).toBe(503);
  }
  expect(readdirSync(other.path, { recursive: true })).toHaveLength(2);
});

test('files that are hard to read never fail the others', async () => {
  const odd = ['spa ce', 'ümlaut', '😀', 'new\nline', 'quo\'te"', '%41', 'a#b', '-dash'];
  const project = projects.make({
    'empty.md': '',
    'front.md': '---\ntags: [x]\n---\n',
    'large.md': Buffer.alloc(11 * 1024 * 1024, 'word '),
    'folder.md/x.txt': 'a folder with such a name',
    '.knowledge/features/bad/reflection.md/x': 'a folder',
    '.knowledge/features/file-not-folder': 'x',
  });
  for (const name of odd) project.writeReflection(name, `an okapi after ${name}`);
  const noise = Buffer.alloc(30 * 1024 * 1024, 'noise ');
  project.writeOutput('huge', Buffer.concat([noise, Buffer.from('the final ibex')]));
  mkdirSync(project.at('.knowledge/features/pipe'));
  execFileSync('mkfifo', [project.at('pipe.md'), project.at(project.output('pipe'))]);
  okBody(await client.rebuild(project));
  expect(files(project).toSorted()).toEqual(
    [project.output('huge'), ...odd.map((name) => project.reflection(name))].toSorted(),
  );
  expect(await client.results(project, 'okapi')).toHaveLength(odd.length);
  expect((await client.results(project, 'final ibex'))[0]?.chunk.content).toHaveLength(2000);
  expect(await client.indexed(project, 'agent-outputs')).toBe(1);
  expect(client.service.stderr()).toContain('large.md');
});

test('without a umask, files of the store are their owner’s alone too', async () => {
  const umask = process.umask(0);
  const open = await startClient('hybrid', { KNOWLEDGE_WORKERS: '2' }).finally(() =>
    process.umask(umask),
  );
  try {
    const project = projects.make({ 'a.md': 'tapir' });
    okBody(await open.rebuild(project));
    const entries = readdirSync(project.at('.knowledge'), { recursive: true, withFileTypes: true });
    const shared = entries.filter((entry) => {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      return (mode & 0o777) !== (entry.isDirectory() ? 0o700 : 0o600);
    });
    expect(entries.length).toBeGreaterThanOrEqual(3);
    expect(shared).toEqual([]);
  } finally {
    await open.service.stop();
  }
});

function files(project: TempProject): readonly string[] {
  return [...new Set(chunksIn(project.database).map((row) => row.source_file))];
}
