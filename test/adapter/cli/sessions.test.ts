import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

let project: TempProject;
let line: CommandLine;

const REFLECTION = '## Retries\nRetry a failed upload with a growing pause.\n';

beforeEach(() => {
  project = projects.make({ '.knowledge/features/up/reflection.md': REFLECTION });
  line = new CommandLine({ directory: project.path, home: projects.make().path });
});

describe('session-start', () => {
  const begin = async (...words: readonly string[]) =>
    (await line.run('session-start', ...words)).out;

  it('prints what is known about a task, as fenced data', async () => {
    await line.run('session-end');
    const out = await begin('--task', 'retry (failed) uploads');
    expect(out).toMatch(/^## Lessons/);
    expect(out).toContain('Retry a failed upload with a growing pause.');
  });

  it.each(['zyx qwv', 'a failed marriage of purple elephants on distant moons', ''])(
    'prints nothing at all for %j',
    async (task) => {
      await line.run('session-end');
      expect(await line.run('session-start', '--task', task)).toEqual({
        code: 0,
        out: '',
        err: '',
      });
    },
  );

  it('takes the branch and the last commit from the files of git', async () => {
    await line.run('session-end');
    expect(await begin()).toBe('');
    project.write('.git/HEAD', 'ref: refs/heads/fix/upload-retry\n');
    expect(await begin()).toContain('growing pause');
    project.write('.git/HEAD', 'ref: refs/heads/main\n');
    expect(await begin()).toBe('');
    const move = '0 1 A <a@b> 1 +0000\tcheckout: moving from a to b\n';
    project.write('.git/logs/HEAD', `0 1 A <a@b> 1 +0000\tcommit: Retry failed upload\n${move}`);
    expect(await begin()).toContain('growing pause');
  });

  it('stays within 1,500 tokens', async () => {
    for (let i = 0; i < 8; i += 1) {
      const text = `Retry a failed upload, case ${i}. ${`word${i} `.repeat(350)}`;
      project.write(`.knowledge/features/f${i}/reflection.md`, `## Case ${i}\n${text}\n`);
    }
    await line.run('session-end');
    const out = await begin('--task', 'retry failed upload');
    expect(out).toContain('### Case');
    expect(Math.max(out.length / 4, out.split(/\s+/).length * 1.3)).toBeLessThanOrEqual(1500);
  });

  it('makes nothing where nothing is indexed, and neither does session-end', async () => {
    const bare = projects.make({ 'docs/a.md': 'alpha' });
    for (const words of [['session-start', '--task', 'alpha'], ['session-end']]) {
      const { code, out } = await line.run(...words, '--project', bare.path);
      expect([code, out]).toEqual([0, '']);
    }
    expect(existsSync(bare.at('.knowledge'))).toBe(false);
  });
});

describe('connect claude --hooks', () => {
  const FILE = '.claude/settings.local.json';
  const OTHER = { matcher: 'startup', hooks: [{ type: 'command', command: 'echo hello' }] };
  const written = () => JSON.parse(readFileSync(project.at(FILE), 'utf8'));
  const commandOf = (name: string) =>
    `'/bin/node' '/lib/cli.js' '${name}' '--project' '${project.path}'`;

  it('adds both hooks once, keeps others, and removes its own again', async () => {
    project.write(FILE, JSON.stringify({ model: 'x', hooks: { SessionStart: [OTHER], Stop: [] } }));
    await line.run('connect', 'claude', '--hooks');
    expect((await line.run('connect', 'claude', '--hooks')).code).toBe(0);
    const start = { type: 'command', command: commandOf('session-start'), timeout: 30 };
    const end = { type: 'command', command: commandOf('session-end'), timeout: 60 };
    expect(written()).toEqual({
      model: 'x',
      hooks: {
        SessionStart: [OTHER, { matcher: 'startup|clear|compact', hooks: [start] }],
        Stop: [],
        SessionEnd: [{ hooks: [end] }],
      },
    });
    expect(existsSync(project.at('.mcp.json'))).toBe(true);
    await line.run('connect', 'claude', '--hooks', '--remove');
    expect(written()).toEqual({ model: 'x', hooks: { SessionStart: [OTHER], Stop: [] } });
    expect((await line.run('connect', 'claude', '--hooks', '--remove')).out).toContain(
      'has no entry',
    );
  });

  it('only shows them with --print, and refuses what it does not understand', async () => {
    expect((await line.run('connect', 'claude', '--hooks', '--print')).out).toContain(
      'session-end',
    );
    expect(existsSync(project.at(FILE))).toBe(false);
    project.write(FILE, '{"hooks": {"SessionEnd": 7}}');
    const { code, err } = await line.run('connect', 'claude', '--hooks');
    expect([code, readFileSync(project.at(FILE), 'utf8')]).toEqual([
      1,
      '{"hooks": {"SessionEnd": 7}}',
    ]);
    expect(err).toContain('was left as it is');
    expect((await line.run('connect', 'cursor', '--hooks')).code).toBe(2);
  });
});
