import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { REFERENCE_MODEL } from '../../src/domain/ranking/cosine-scale.js';
import { CLI, commandEnvironment, eventually, runCommand } from '../support/running-service.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';
import { writeTinyModel } from '../support/tiny-model.js';

const projects = testProjects();
const REFLECTION = '.knowledge/features/up/reflection.md';
let project: TempProject;
let home: TempProject;
let environment: Readonly<Record<string, string>>;

beforeEach(async () => {
  project = projects.make({
    '.git/HEAD': 'ref: refs/heads/main\n',
    [REFLECTION]: '\n## Apple\napple banana cherry apple banana cherry\n',
    'docs/disk.md': '## Disk\ndisk engine forest disk engine forest\n',
  });
  home = projects.make();
  environment = {
    ...commandEnvironment(),
    HOME: home.path,
    DATA_DIR: home.at('data'),
    KNOWLEDGE_OFFLINE: '1',
    KNOWLEDGE_SERVICE: 'on',
    KNOWLEDGE_SERVICE_IDLE_S: '60',
  };
  await writeTinyModel(home.at('data/models'), {}, REFERENCE_MODEL);
});
afterEach(async () => {
  await run('stop');
});

const run = (...words: readonly string[]) => runCommand(words, project.path, environment);

async function listChunks(): Promise<readonly { readonly retrievals: number }[]> {
  return JSON.parse((await run('api', 'GET', '/x/chunks')).out).chunks;
}

/** Runs the hook as an agent does. */
async function prompt(said: object | string, changed: Readonly<Record<string, string>> = {}) {
  const hook = startHook(changed);
  hook.stdin?.end(typeof said === 'string' ? said : JSON.stringify(said));
  return ended(hook);
}

function startHook(changed: Readonly<Record<string, string>> = {}): ChildProcess {
  const env = { ...environment, ...changed };
  return spawn(process.execPath, [CLI, 'session-prompt'], { cwd: project.path, env });
}

async function ended(hook: ChildProcess) {
  hook.stdin?.on('error', () => undefined);
  const [out, err, [code]] = await Promise.all([
    hook.stdout === null ? '' : text(hook.stdout),
    hook.stderr === null ? '' : text(hook.stderr),
    once(hook, 'exit'),
  ]);
  return { code, out, err };
}

const QUIET = { code: 0, out: '', err: '' };
const APPLE = { prompt: 'apple banana cherry', session_id: 'one' };
const socketNames = () => readdirSync(home.at('data/service')).filter((n) => n.endsWith('.sock'));

describe('session-prompt', () => {
  test('prints what clearly fits, with its place, once in a session', async () => {
    await run('ingest', '--wait');
    const speaks = async (session: string) =>
      (await prompt({ ...APPLE, session_id: session })).out !== '';
    await eventually(() => speaks('warming'));
    const { code, out, err } = await prompt(APPLE);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`file: ${REFLECTION}:2\n\n`);
    expect(out).toContain('apple banana cherry');
    expect(out).not.toContain('disk engine');
    expect(await prompt(APPLE)).toEqual(QUIET);
    expect(await speaks('two')).toBe(true);
    await run('stop');
    await run('search', 'apple');
    expect(await prompt(APPLE)).toEqual(QUIET);
    expect(JSON.parse(readFileSync(home.at('data/shown-pieces.json'), 'utf8'))).toHaveLength(3);
  });

  test('does not count as a retrieval', async () => {
    await run('ingest', '--wait');
    await eventually(async () => (await prompt({ ...APPLE, session_id: 's' })).out !== '');
    await run('stop');
    const chunks = await listChunks();
    expect(chunks.map(({ retrievals }) => retrievals)).toEqual([0, 0]);
  });

  test('starts a service if none is running, prints nothing, and prints at a later prompt', async () => {
    await run('ingest', '--wait');
    await run('stop');
    expect(await prompt(APPLE)).toEqual(QUIET);
    await eventually(() => socketNames().length === 1);
    await eventually(async () => (await prompt(APPLE)).out.includes('apple banana cherry'));
  });

  test.each([
    ['no input', ''],
    ['no JSON', 'apple banana cherry'],
    ['more than a megabyte', JSON.stringify({ ...APPLE, padding: 'x'.repeat(3_000_000) })],
  ])('says nothing for %s, and starts nothing', async (_, said) => {
    await run('ingest', '--no-vectors');
    expect(await prompt(said)).toEqual(QUIET);
    expect(existsSync(home.at('data/service'))).toBe(false);
  });

  test('gives up if the agent never ends its input', async () => {
    const hook = startHook();
    hook.stdin?.write('{"prompt": ');
    expect(await ended(hook)).toEqual(QUIET);
  });

  test('prints nothing if services are turned off, or if no folder can be created for one', async () => {
    await run('ingest', '--no-vectors');
    expect(await prompt(APPLE, { KNOWLEDGE_SERVICE: 'off' })).toEqual(QUIET);
    expect(await prompt(APPLE, { DATA_DIR: project.at('docs/disk.md/data') })).toEqual(QUIET);
  });
});

describe('session-start', () => {
  const begin = async (...words: readonly string[]) => (await run('session-start', ...words)).out;
  beforeEach(async () => {
    await run('ingest', '--wait');
  });

  test('prints the knowledge for a task, as fenced data, without counting a retrieval', async () => {
    const out = await begin('--task', 'apple (banana) cherry');
    expect(out).toMatch(/^## Lessons/);
    expect(out).toContain('```text\napple banana cherry');
    const chunks = await listChunks();
    expect(chunks).toHaveLength(2);
    for (const { retrievals } of chunks) expect(retrievals).toBe(0);
  });

  test('does not call a note a lesson from a feature', async () => {
    project.write('.knowledge/notes/engine.md', '## Engine\ndisk engine forest disk engine\n');
    await run('ingest', '--wait');
    const heading = /^## Notes and Lessons for This Task\n/;
    expect(await begin('--task', 'disk engine forest')).toMatch(heading);
    expect((await run('lessons', 'disk engine forest')).out).toMatch(heading);
  });

  test.each(['disk engine forest', ''])('prints nothing at all for %j', async (task) => {
    expect(await run('session-start', '--task', task)).toEqual(QUIET);
  });

  test('takes the branch and the last commit from the files of git', async () => {
    expect(await begin()).toBe('');
    project.write('.git/HEAD', 'ref: refs/heads/apple/banana-cherry\n');
    expect(await begin()).toContain('apple banana');
    project.write('.git/HEAD', 'ref: refs/heads/main\n');
    expect(await begin()).toBe('');
    const move = '0 1 A <a@b> 1 +0000\tcheckout: moving from a to b\n';
    project.write('.git/logs/HEAD', `0 1 A <a@b> 1 +0000\tcommit: apple banana cherry\n${move}`);
    expect(await begin()).toContain('apple banana');
  });

  test('takes them from the files of a worktree or a submodule that has the project', async () => {
    const [record, head] = ['.git/worktrees/w', 'ref: refs/heads/apple-banana-cherry\n'];
    project.write(`${record}/HEAD`, head);
    project.write('.git/modules/m/HEAD', head);
    for (const [folder, named] of [
      ['w', project.at(record)],
      ['m', '../.git/modules/m'],
    ] as const) {
      project.write(`${folder}/.git`, `gitdir: ${named}\n`);
      project.write(`${folder}/.knowledge/notes/a.md`, 'apple banana cherry apple banana cherry\n');
      if (folder === 'w') project.write(`${record}/gitdir`, `${project.at('w/.git')}\n`);
      await run('--project', folder, 'ingest', '--wait');
      expect(await begin('--project', folder)).toContain('apple banana');
    }
  });

  test.each(['other/.git', 'other/.git/modules/m', 'other/.git/worktrees/w', 'other'])(
    'takes nothing from %s, which a forged file names',
    async (named) => {
      const other = projects.make({
        [`${named}/HEAD`]: 'ref: refs/heads/apple-banana-cherry\n',
        [`${named}/gitdir`]: '/elsewhere/.git\n',
      });
      project.delete('.git');
      project.write('.git', `gitdir: ${other.at(named)}\n`);
      expect(await begin()).toBe('');
    },
  );

  test('stays within 1,500 tokens', async () => {
    for (let i = 0; i < 8; i += 1) {
      const content = `${'apple banana cherry '.repeat(110)}${`word${i} `.repeat(20)}`;
      project.write(`.knowledge/features/f${i}/reflection.md`, `## Case ${i}\n${content}\n`);
    }
    await run('ingest', '--wait');
    const out = await begin('--task', 'apple banana cherry');
    expect(out).toContain('## Case');
    expect(Math.max(out.length / 4, out.split(/\s+/).length * 1.3)).toBeLessThanOrEqual(1500);
  });
});
