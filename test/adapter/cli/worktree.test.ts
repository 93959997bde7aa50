import { existsSync, rmSync, writeFileSync } from 'node:fs';
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
  const project = projects.make({
    'a.md': '## A\nthe ibex climbs\n',
    'b.md': '## B\nthe walrus swims\n',
  });
  main = project.path;
  worktree = linkedWorktree(main);
  await new CommandLine({ directory: main }).run('ingest', '--no-vectors');
  line = new CommandLine({ directory: worktree });
});

/** A part of the sentence, which is broken into lines. */
const DIFFERS = 'the file differs in this worktree.';

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

  it('reports results whose file differs there, and no others', async () => {
    writeFileSync(join(worktree, 'a.md'), '## A\nthe ibex jumps\n');
    expect((await line.run('search', 'ibex')).out).toContain(DIFFERS);
    expect((await line.run('search', 'ibex', '--profile', 'specified')).out).toContain(DIFFERS);
    expect((await line.run('similar', 'the ibex climbs')).out).toContain(DIFFERS);
    expect((await line.run('get', 'a.md')).err).toContain(DIFFERS);
    expect((await line.run('get', 'a.md#0')).err).toContain(DIFFERS);
    expect((await line.run('search', 'walrus')).out).not.toContain('main checkout');
    expect((await line.run('get', 'b.md')).err).not.toContain('main checkout');
  });

  it('reports a result whose file is missing there', async () => {
    rmSync(join(worktree, 'b.md'));
    expect((await line.run('search', 'walrus')).out).toContain('this worktree has no such file.');
  });

  it('says nothing of a note, which exists once', async () => {
    await line.run('note', 'add', 'Yaks', 'A yak sleeps.');
    const { out } = await line.run('search', 'yak');
    expect(out).toContain('A yak sleeps.');
    expect(out).not.toContain('main checkout');
  });

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
