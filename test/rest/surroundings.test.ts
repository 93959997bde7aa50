import { existsSync, mkdirSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { CLI, runCommand, runProgram } from '../support/running-service.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

const projects = testProjects();
let project: TempProject;
let home: TempProject;

beforeEach(() => {
  project = projects.make({ '.git/HEAD': '', '.knowledge/notes/a.md': '## Alpha\nThe ibex.\n' });
  home = projects.make();
});
const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(words, project.path, { HOME: home.path, ...env });
const shell = (line: string) =>
  runProgram(['/bin/sh', '-c', line], project.path, { HOME: home.path });
const COMMAND = `'${process.execPath}' '${CLI}'`;

describe('a command', () => {
  test.each(['--help', 'search ibex', 'status --json'])(
    'says in one sentence that its output cannot be written: %s',
    async (words) => {
      const { code, err } = await shell(`${COMMAND} ${words} > /dev/full`);
      expect(code).toBe(1);
      expect(err).toMatch(/^knowledge-store: The output cannot be written: ENOSPC[^\n]+\.\n$/);
    },
  );

  test.each(['--help', 'search ibex', 'mcp'])(
    'says in one sentence that its working directory was deleted: %s',
    async (words) => {
      mkdirSync(project.at('gone'));
      const { code, out, err } = await shell(`cd gone && rmdir ../gone && ${COMMAND} ${words}`);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^knowledge-store: The working directory does not exist[^\n]+\.\n$/);
    },
  );

  test.each(['session-start', '--project . session-prompt', 'session-end'])(
    'ends in silence in a deleted directory if it is the hook %s',
    async (words) => {
      mkdirSync(project.at('gone'));
      const ended = await shell(`cd gone && rmdir ../gone && ${COMMAND} ${words} < /dev/null`);
      expect(ended).toMatchObject({ code: 0, out: '', err: '' });
    },
  );

  test.each(['DATA_DIR', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'KNOWLEDGE_ROOTS'])(
    'takes "~" in %s for the home directory',
    async (name) => {
      const { code } = await run(['status'], {
        [name]: `~/kept${name === 'KNOWLEDGE_ROOTS' ? ':/' : ''}`,
      });
      expect(code).toBe(0);
      expect(existsSync(project.at('~'))).toBe(false);
      if (name === 'DATA_DIR') {
        expect((await run(['models', '--json'], { [name]: '~/kept' })).out).toContain(
          home.at('kept'),
        );
      }
    },
  );

  test.each([
    ['DATA_DIR', '$HOME/models'],
    ['DATA_DIR', '$'.concat('{HOME}')],
    ['DATA_DIR', '~ada/models'],
    ['CODEX_HOME', '$HOME/.codex'],
  ])('refuses a variable that no shell has replaced: %s=%s', async (name, value) => {
    const { code, err } = await run(['search', 'ibex'], { [name]: value, KNOWLEDGE_SERVICE: 'on' });
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`^knowledge-store: ${name} [^\n]+\n$`));
    expect(existsSync(project.at(value.split('/')[0] ?? ''))).toBe(false);
  });

  test.each(['models', 'models --json'])('needs no project: %s', async (words) => {
    for (const cwd of [home.path, '/']) {
      const { code } = await runCommand(words.split(' '), cwd, { HOME: home.path });
      expect(code).toBe(0);
    }
  });
});
