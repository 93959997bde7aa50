import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

let project: TempProject;
let line: CommandLine;

const REFLECTION = '## Apple\napple banana cherry apple banana cherry\n';

beforeEach(() => {
  project = projects.make({ '.knowledge/features/up/reflection.md': REFLECTION });
  line = new CommandLine({ directory: project.path, home: projects.make().path });
});

describe('session-start', () => {
  it('prints nothing without vectors', async () => {
    await line.run('session-end');
    expect((await line.run('search', 'banana')).out).toContain('apple banana cherry');
    const { code, out } = await line.run('session-start', '--task', 'apple banana cherry');
    expect([code, out]).toEqual([0, '']);
  });

  it('creates nothing if nothing is indexed, and neither does session-end', async () => {
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

  it('adds its hooks once, keeps others, and removes its own again', async () => {
    project.write(FILE, JSON.stringify({ model: 'x', hooks: { SessionStart: [OTHER], Stop: [] } }));
    expect((await line.run('connect', 'claude', '--hooks')).out).toContain('now has the hooks.');
    const second = await line.run('connect', 'claude', '--hooks');
    expect(second.out).toContain('already has the hooks; nothing was changed.');
    const start = { type: 'command', command: commandOf('session-start'), timeout: 30 };
    const prompt = { type: 'command', command: commandOf('session-prompt'), timeout: 5 };
    const end = { type: 'command', command: commandOf('session-end'), timeout: 60 };
    expect(written()).toEqual({
      model: 'x',
      hooks: {
        SessionStart: [OTHER, { matcher: 'startup|clear|compact', hooks: [start] }],
        Stop: [],
        UserPromptSubmit: [{ hooks: [prompt] }],
        SessionEnd: [{ hooks: [end] }],
      },
    });
    expect(existsSync(project.at('.mcp.json'))).toBe(true);
    await line.run('connect', 'claude', '--hooks', '--remove');
    expect(written()).toEqual({ model: 'x', hooks: { SessionStart: [OTHER], Stop: [] } });
    const again = await line.run('connect', 'claude', '--hooks', '--remove');
    expect(again.out).toContain('does not have the entry');
  });

  it('only shows them with --print, and refuses unknown values', async () => {
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
