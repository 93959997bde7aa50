import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunksIn, ISO_DATE, rowsOf, verifyDatabase } from '../support/database-inspection.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import { type TempProject, TempProjects, tempDirectory } from '../support/temp-project.js';

const projects = new TempProjects();
let client: Client;
beforeAll(async () => {
  client = await startClient('hybrid');
});
afterAll(async () => {
  await client.service.stop();
  projects.removeAll();
});

describe('the rows of each source', () => {
  test('reflections: chunks of importance 0.8, the frontmatter with the first', async () => {
    const project = projects.make();
    project.writeReflection(
      'f-12',
      '---\ntags: [a, b]\n---\nBefore all.\n\n## One\nFirst.\n\n## Two ##\nSecond.\n',
    );
    expect(await client.indexed(project, 'reflections')).toBe(1);
    const file = '.knowledge/features/f-12/reflection.md';
    const common = {
      source_type: 'reflection',
      source_file: file,
      project_path: project.path,
      importance: 0.8,
      created_at: expect.stringMatching(ISO_DATE),
      updated_at: expect.stringMatching(ISO_DATE),
      last_retrieved_at: null,
      retrieval_count: 0,
      hype_queries: null,
      hype_embeddings: null,
    };
    expect(chunksIn(project.database)).toEqual([
      {
        ...common,
        id: `${file}#0`,
        chunk_index: 0,
        heading: 'Reflection: f-12',
        content: 'Before all.',
        tags: '["a","b"]',
      },
      { ...common, id: `${file}#1`, chunk_index: 1, heading: 'One', content: 'First.', tags: null },
      {
        ...common,
        id: `${file}#2`,
        chunk_index: 2,
        heading: 'Two',
        content: 'Second.',
        tags: null,
      },
    ]);
    verifyDatabase(project.database);
  });

  test('agent outputs: the last 2000 characters in one chunk of importance 0.6', async () => {
    const project = projects.make();
    project.writeOutput('long', `${'x'.repeat(5000)}${'y'.repeat(1000)}${'z'.repeat(1000)}`);
    project.writeOutput('short', '## Not cut\nall of it\n');
    expect(await client.indexed(project, 'agent-outputs')).toBe(2);
    expect(chunksIn(project.database)).toMatchObject([
      {
        id: '.knowledge/features/long/agent-output.md#0',
        source_type: 'agent_output',
        heading: 'Agent output: long',
        content: 'y'.repeat(1000) + 'z'.repeat(1000),
        importance: 0.6,
        chunk_index: 0,
        tags: null,
      },
      { heading: 'Agent output: short', content: '## Not cut\nall of it\n', importance: 0.6 },
    ]);
  });

  test('memory categories and documentation are chunks of the type file', async () => {
    const project = projects.make({
      'docs/guide.md': '# The guide\n\nOne paragraph.\n\nAnother.\n',
      '.knowledge/memory/_index.md': 'An index of ibexes.',
      '.knowledge/memory/.hidden.md': 'hidden ibex',
      '.knowledge/memory/notes.txt': 'no markdown',
      '.knowledge/memory/deep/nested.md': 'not directly there',
      '.knowledge/memory/9lives.md': 'a digit begins the name',
    });
    project.writeMemory(
      'gotchas',
      '---\ntags: [gotcha]\nimportance: 0.7\n---\n# gotchas\n\n### A lesson\nof the ibex\n\n#### Another\nof the yak\n',
    );
    okBody(await client.rebuild(project));
    const rows = chunksIn(project.database).map(
      ({ id, source_type, heading, content, tags, importance }) => [
        id,
        source_type,
        heading,
        content,
        tags,
        importance,
      ],
    );
    expect(rows).toEqual([
      ['.knowledge/memory/9lives.md#0', 'file', null, 'a digit begins the name', null, 0.5],
      [
        '.knowledge/memory/gotchas.md#0',
        'file',
        'gotchas',
        '### A lesson\nof the ibex',
        '["gotcha"]',
        0.7,
      ],
      ['.knowledge/memory/gotchas.md#1', 'file', 'gotchas', '#### Another\nof the yak', null, 0.5],
      ['docs/guide.md#0', 'file', 'The guide', 'One paragraph.', null, 0.5],
      ['docs/guide.md#1', 'file', 'The guide', 'Another.', null, 0.5],
    ]);
  });
});

describe('which files are sources', () => {
  test('links: out of the project are not followed, inside they are the file itself, loops end', async () => {
    const outside = tempDirectory();
    execFileSync('sh', [
      '-c',
      `echo "secret gnu" > ${outside}/s.md; mkdir -p ${outside}/features/x; echo "secret gnu" > ${outside}/features/x/reflection.md`,
    ]);
    const project = projects.make({ 'a.md': 'open gnu' });
    project.writeReflection('real', 'a reflection of a gnu');
    symlinkSync(`${outside}/s.md`, project.at('out.md'));
    symlinkSync(outside, project.at('outdir'));
    symlinkSync(`${outside}/features/x`, project.at('.knowledge/features/linked'));
    project.write('.knowledge/features/f2/keep', '');
    symlinkSync(`${outside}/s.md`, project.at('.knowledge/features/f2/reflection.md'));
    symlinkSync(`${outside}/s.md`, project.at('.knowledge/features/f2/agent-output.md'));
    mkdirSync(project.at('.knowledge/memory'));
    symlinkSync(`${outside}/s.md`, project.at('.knowledge/memory/leak.md'));
    symlinkSync('.', project.at('loop'));
    symlinkSync('self.md', project.at('self.md'));
    symlinkSync('nowhere', project.at('dangling.md'));
    symlinkSync('a.md', project.at('inside.md'));
    okBody(await client.rebuild(project));
    await client.indexed(project, 'reflections');
    await client.indexed(project, 'agent-outputs');
    expect(files(project)).toEqual(['.knowledge/features/real/reflection.md', 'a.md']);
    expect(await client.results(project, 'secret')).toEqual([]);
    verifyDatabase(project.database);
  });

  test('an application directory or a database that is a link is refused', async () => {
    const other = projects.make({ '.knowledge/keep': '' });
    const linked = projects.make();
    symlinkSync(other.at('.knowledge'), linked.at('.knowledge'));
    expect((await client.search(linked, 'x')).status).toBe(503);
    const linkedFile = projects.make({ '.knowledge/keep': '' });
    symlinkSync(other.at('target.db'), linkedFile.database);
    expect((await client.search(linkedFile, 'x')).status).toBe(503);
    expect(statSync(other.at('.knowledge')).isDirectory()).toBe(true);
    expect(() => statSync(other.at('target.db'))).toThrow();
  });
});

describe('files that are hard to read never fail the others', () => {
  test('pipes, folders in the place of files, empty ones and ones that are too large', async () => {
    const project = projects.make({
      'good.md': 'a good ibex',
      'empty.md': '',
      'blank.md': ' \n\n\t\n',
      'front.md': '---\ntags: [x]\n---\n',
      'large.md': Buffer.alloc(11 * 1024 * 1024, 'word '),
      'folder.md/x.txt': 'a folder with such a name',
    });
    execFileSync('mkfifo', [project.at('pipe.md')]);
    project.writeReflection('good', 'a good reflection');
    project.write('.knowledge/features/bad/reflection.md/x', 'a folder');
    mkdirSync(project.at('.knowledge/features/none'), { recursive: true });
    execFileSync('mkfifo', [project.at('.knowledge/features/none/agent-output.md')]);
    project.write('.knowledge/features/file-not-folder', 'x');
    project.writeReflection('blank', '\n');
    project.writeOutput('blank', '  \n');
    const stats = okBody(await client.rebuild(project));
    expect(stats.totalChunks).toBe(2);
    expect(files(project)).toEqual(['.knowledge/features/good/reflection.md', 'good.md']);
    expect(await client.indexed(project, 'reflections')).toBe(1);
    expect(await client.indexed(project, 'agent-outputs')).toBe(0);
    expect(client.service.stderr()).toContain('large.md');
  });

  test('the tail of an agent output of 30 MB', async () => {
    const project = projects.make();
    const noise = Buffer.alloc(30 * 1024 * 1024, 'noise ');
    project.writeOutput('huge', Buffer.concat([noise, Buffer.from('the final ibex')]));
    expect(await client.indexed(project, 'agent-outputs')).toBe(1);
    expect(chunksIn(project.database)[0]?.content).toHaveLength(2000);
    expect(await client.results(project, 'final ibex')).toHaveLength(1);
  });

  test('odd names of files and features', async () => {
    const names = ['spa ce', 'ümlaut', '😀', 'new\nline', 'quo\'te"', '%41', 'a#b', '-dash'];
    const project = projects.make();
    for (const name of names) {
      project.write(`docs/${name}.md`, `an okapi in ${name}`);
      project.writeReflection(name, `an okapi after ${name}`);
    }
    expect(okBody(await client.rebuild(project)).totalChunks).toBe(2 * names.length);
    expect(await client.results(project, 'okapi')).toHaveLength(2 * names.length);
    const ids = rowsOf<{ id: string }>(project.database, 'SELECT id FROM chunks').map(
      ({ id }) => id,
    );
    for (const name of names) expect(ids).toContain(`docs/${name}.md#0`);
  });
});

test('defaultImportance is for file chunks without their own, and for no other source', async () => {
  const project = projects.make({ 'a.md': '---\nimportance: 0.9\n---\none\n\ntwo' });
  project.writeReflection('f', 'reflection');
  project.writeOutput('f', 'output');
  project.writeMemory('m', 'memory');
  project.writeSettings({ defaultImportance: 0.3 });
  okBody(await client.rebuild(project));
  expect(
    chunksIn(project.database).map(({ id, importance }) => [id.split('/').at(-1), importance]),
  ).toEqual([
    ['agent-output.md#0', 0.6],
    ['reflection.md#0', 0.8],
    ['m.md#0', 0.3],
    ['a.md#0', 0.9],
    ['a.md#1', 0.3],
  ]);
});

test('changed settings cut unchanged files again', async () => {
  const project = projects.make({ 'a.md': 'word '.repeat(100) });
  expect(okBody(await client.rebuild(project)).totalChunks).toBe(1);
  project.writeSettings({ maxChunkSize: 65 });
  expect(okBody(await client.rebuild(project)).totalChunks).toBe(2);
  project.writeSettings({ maxChunkSize: 65, defaultImportance: 1 });
  okBody(await client.rebuild(project));
  expect(new Set(chunksIn(project.database).map((row) => row.importance))).toEqual(new Set([1]));
});

test('without a umask, files of the store and exports are their owner’s alone too', async () => {
  const umask = process.umask(0);
  const open = await startClient('hybrid', { KNOWLEDGE_WORKERS: '2' }).finally(() =>
    process.umask(umask),
  );
  try {
    const project = projects.make({ 'a.md': 'tapir' });
    okBody(await open.rebuild(project));
    okBody(await open.post('/x/export', project));
    const entries = readdirSync(project.at('.knowledge'), { recursive: true, withFileTypes: true });
    const modes = entries.map((entry) => {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      return [entry.name, entry.isDirectory(), mode & 0o777] as const;
    });
    const isShared = ([, isDirectory, mode]: (typeof modes)[number]) =>
      mode !== (isDirectory ? 0o700 : 0o600);
    expect(modes.length).toBeGreaterThanOrEqual(4);
    expect(modes.filter(isShared)).toEqual([]);
  } finally {
    await open.service.stop();
  }
});

function files(project: TempProject): readonly string[] {
  return [...new Set(chunksIn(project.database).map((row) => row.source_file))];
}
