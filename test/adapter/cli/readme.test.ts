import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import { TempProjects } from '../../support/temp-project.js';

const projects = new TempProjects();
afterAll(() => projects.removeAll());

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

it('prints what the README shows', async () => {
  const project = projects.make({
    'docs/database.md':
      '# Database\n\n## Locks\nWriters wait for the write lock of the other process, up to 15 seconds.\n',
    'docs/api.md': '## Errors\nEvery error has a code.\n',
  });
  const line = new CommandLine({ directory: project.path });
  const [, shown = ''] = /```console\n(.*?)```/s.exec(README) ?? [];
  const sessions = shown.split('$ knowledge-store ').slice(1);
  expect(sessions.length).toBeGreaterThan(2);
  for (const session of sessions) {
    const [words = '', ...output] = session.split('\n');
    const { code, out } = await line.run(...words.split(' '));
    expect(code).toBe(0);
    expect(out.replaceAll(project.path, '/home/me/shop').trim()).toBe(output.join('\n').trim());
  }
});

it('connects the agents that the README names', async () => {
  const project = projects.make({ '.git/HEAD': '' });
  const line = new CommandLine({ directory: project.path, home: projects.make().path });
  const [, rest = ''] = /connect claude\n```(.*?)\n## /s.exec(README) ?? [];
  const agents = [...rest.matchAll(/`(cursor|vscode|codex|gemini)`/g)].map(([, name = '']) => name);
  expect(agents).toHaveLength(4);
  for (const agent of ['claude', ...agents]) {
    expect((await line.run('connect', agent, '--print')).code).toBe(0);
  }
});
