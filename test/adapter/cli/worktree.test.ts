import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import { linkedWorktree } from '../../support/linked-worktree.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
let main: string;
let worktree: string;
let line: CommandLine;

beforeEach(async () => {
  const project = projects.make({ 'a.md': '## A\nthe ibex climbs\n' });
  main = project.path;
  worktree = linkedWorktree(main);
  await new CommandLine({ directory: main }).run('ingest', '--no-vectors');
  line = new CommandLine({ directory: worktree });
});

describe('a command in a linked git worktree', () => {
  it.each([['status'], ['ingest', '--no-vectors']])(
    '%s names the main checkout',
    async (...words) => {
      const { code, err } = await line.run(...words);
      expect(code).toBe(0);
      expect(err).toContain(`This git worktree shares the store of its main checkout, ${main}.\n`);
      expect(existsSync(join(worktree, '.knowledge'))).toBe(false);
    },
  );

  it('init makes a separate store', async () => {
    expect((await line.run('init')).code).toBe(0);
    expect(existsSync(join(worktree, '.knowledge/settings.json'))).toBe(true);
    const { out, err } = await line.run('status');
    expect(out).toContain(`project    ${worktree}\n`);
    expect(err).not.toContain('main checkout');
  });
});

it('a command in the main checkout says nothing about worktrees', async () => {
  expect((await new CommandLine({ directory: main }).run('status')).err).not.toContain('worktree');
});

// Helpers
