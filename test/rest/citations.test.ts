import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { CommandLine } from '../support/command-line.js';
import { clientOfService, textOf } from '../support/mcp-client.js';
import { okBody, startClient } from '../support/running-service-calls.js';
import { type TempProject, tempDirectory } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

const projects = testProjects();

const TODAY = new Date().toISOString().slice(0, 10);
const TAKE = `export function take() {\n  return free.pop() ?? open();\n}\n`;
const POOL = `import { open } from './open.js';\n\nconst free = [];\n\n${TAKE}`;
const NOTE = '.knowledge/notes/pool.md#0';

const client = await startClient('hybrid');
const mcp = await clientOfService(client.service.url);
afterAll(async () => {
  await mcp.close();
  await client.service.stop();
});

const resultOf = async (project: TempProject, query: string) => {
  const { explain } = okBody(await client.search(project, query, { explain: true }));
  return explain.results[0];
};
const citationsOf = async (project: TempProject, query: string) =>
  (await resultOf(project, query)).citations;
/** The watch sees a change within 3 seconds. */
const eventually = (found: () => Promise<unknown>) => expect.poll(found, { timeout: 3000 });
/** What an agent reads. */
const asked = async (project: TempProject, query: string) => {
  const found = await mcp.callTool({ name: 'search', arguments: { project: project.path, query } });
  return textOf(found);
};

/** By REST, MCP and command line. */
describe('a note about a function', () => {
  const TEXT = 'Never borrow twice: `src/db/pool.ts:5-7` waits for itself.';
  let project: TempProject;
  let commands: CommandLine;
  beforeEach(async () => {
    project = projects.make({ 'src/db/pool.ts': POOL, 'docs/a.md': '## Other\nwombats dig' });
    commands = new CommandLine({ directory: project.path });
    const note = { id: 'pool', title: 'Connections', content: TEXT };
    expect(await client.post('/x/notes', project, note)).toMatchObject({ status: 201 });
    okBody(await client.post('/x/reindex', project));
  });

  test('cites it, and holds', async () => {
    const result = await resultOf(project, 'borrow');
    expect(result).not.toHaveProperty('stale');
    expect(result.citations).toEqual([
      { path: 'src/db/pool.ts', lines: '5-7', state: 'current', since: expect.any(String) },
    ]);
    expect(okBody(await client.get('/x/stale', project))).toEqual({ chunks: [] });
    const { results } = okBody(await client.search(project, 'borrow'));
    expect(Object.keys(results[0]).toSorted()).toEqual(['chunk', 'score']);
    expect(await resultOf(project, 'wombats')).not.toHaveProperty('citations');
    expect(await asked(project, 'borrow')).not.toContain('has changed');
  });

  test('holds if the function has moved, and says where it is', async () => {
    project.write('src/db/pool.ts', `// A comment.\n\n${POOL}`);
    const moved = [{ state: 'current', movedTo: '7-9' }];
    await eventually(() => citationsOf(project, 'borrow')).toMatchObject(moved);
    expect(await resultOf(project, 'borrow')).not.toHaveProperty('stale');
    const sentence = '`src/db/pool.ts:5-7` has moved to 7-9';
    expect((await commands.run('search', '--all', 'borrow')).out).toContain(sentence);
    expect(await asked(project, 'borrow')).toContain(`cited: ${sentence}`);
  });

  test('is stale when the function changes, wherever it is shown', async () => {
    project.write('src/db/pool.ts', POOL.replace('??', '||'));
    const sentence = `\`src/db/pool.ts:5-7\` has changed since ${TODAY}`;
    const stale = { stale: true, citations: [{ path: 'src/db/pool.ts', state: 'changed' }] };
    await eventually(() => resultOf(project, 'borrow')).toMatchObject(stale);
    expect(await asked(project, 'borrow')).toContain(`stale: ${sentence}`);
    const similar = await client.post('/x/similar', project, { text: 'borrow twice' });
    expect(okBody(similar).results[0]).toMatchObject(stale);
    expect(await client.chunk(project, NOTE)).toMatchObject(stale);
    expect(okBody(await client.get('/x/stale', project)).chunks).toMatchObject([
      { id: NOTE, sourceFile: '.knowledge/notes/pool.md', citations: stale.citations },
    ]);
    expect((await commands.run('search', '--all', 'borrow')).out).toContain(sentence);
    expect((await commands.run('get', NOTE)).err).toContain(sentence);
    const listed = await commands.run('stale');
    expect([listed.code, listed.out]).toEqual([0, expect.stringContaining(sentence)]);
    const json = JSON.parse((await commands.run('stale', '--json')).out);
    expect(json).toEqual(okBody(await client.get('/x/stale', project)));
    expect((await commands.run('status')).out).toContain('1 chunk;');
    expect((await commands.run('doctor')).code).toBe(0);
  });

  test('is stale once the file is gone, and at once for a command', async () => {
    mkdirSync(project.at('src/pools'));
    renameSync(project.at('src/db/pool.ts'), project.at('src/pools/main.ts'));
    const sentence = '`src/db/pool.ts` is gone';
    expect((await commands.run('search', '--all', 'twice')).out).toContain(sentence);
    expect(await citationsOf(project, 'twice')).toMatchObject([{ state: 'gone' }]);
    expect((await commands.run('stale')).out).toContain(sentence);
    expect(await asked(project, 'twice')).toContain(sentence);
  });
});

test('cites what the frontmatter of a note names', async () => {
  const project = projects.make({
    Makefile: 'all:\n\tbuild\n',
    'src/a.ts': 'one\ntwo\n',
    'docs/src/a.ts': '',
    '.knowledge/notes/build.md':
      '---\ncites: ["Makefile", "src/a.ts:2", "/etc/passwd", "../x.md", 7]\n---\n# Build\n\nnumbats build',
  });
  okBody(await client.post('/x/reindex', project));
  expect(await citationsOf(project, 'numbats')).toMatchObject([
    { path: 'Makefile', state: 'current' },
    { path: 'src/a.ts', lines: '2-2', state: 'current' },
  ]);
});

test('cites nothing outside of the project, nothing large and nothing that is no file', async () => {
  const outside = tempDirectory();
  writeFileSync(`${outside}/secret.md`, 'secret');
  const project = projects.make({
    'src/large.ts': 'x'.repeat(2 * 1024 * 1024),
    'src/small.ts': 'one\n',
    'src/twice/same.ts': '1',
    'docs/twice/same.ts': '2',
    '.knowledge/memory/gotchas.md': '## G\nnothing',
    'docs/odd.md': `## Odd\n${[
      'quolls `src/large.ts` `src/pipe.ts` `src/link.md` `src/folder/secret.md` `same.ts`',
      '`../secret.md` `/etc/passwd` `src/../../secret.md` `src/small.ts:7-9999999` `src/small.ts:8` `src/folder`',
      '`.knowledge/memory/gotchas.md` `docs/odd.md`',
      '```\nsrc/twice/same.ts\n```',
    ].join('\n')}`,
    'docs/many.md': `## Many\npossums ${Array.from({ length: 10_000 }, (_, i) => `src/f${i}.ts`).join(' ')}`,
  });
  execFileSync('mkfifo', [project.at('src/pipe.ts')]);
  symlinkSync(`${outside}/secret.md`, project.at('src/link.md'));
  symlinkSync(outside, project.at('src/folder'));
  okBody(await client.post('/x/reindex', project));
  const citations = await citationsOf(project, 'quolls');
  expect(citations).toMatchObject([{ path: 'src/small.ts', state: 'current' }]);
  expect(citations[0]).not.toHaveProperty('lines');
  expect(await resultOf(project, 'possums')).not.toHaveProperty('citations');
  project.delete('src/small.ts');
  symlinkSync(`${outside}/secret.md`, project.at('src/small.ts'));
  await eventually(() => citationsOf(project, 'quolls')).toMatchObject([{ state: 'gone' }]);
  project.delete('src/small.ts');
  mkdirSync(project.at('src/small.ts'));
  expect(okBody(await client.post('/x/reindex', project))).toMatchObject({ removed: 0 });
  expect(await citationsOf(project, 'quolls')).toMatchObject([{ state: 'gone' }]);
});
