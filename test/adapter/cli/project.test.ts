import { existsSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

const NOTE = { 'a.md': '## A\nthe ibex climbs\n' };

describe('the project of a command', () => {
  it('is the nearest directory upwards that is the root of a git project', async () => {
    const project = projects.make({ ...NOTE, '.git/HEAD': 'ref: refs/heads/main\n' });
    mkdirSync(project.at('src/deep'), { recursive: true });
    const line = new CommandLine({ directory: project.at('src/deep') });
    expect((await line.run('ingest', '--no-vectors')).out).toContain(`project ${project.path},`);
    expect((await line.run('search', 'ibex')).out).toContain('1. ../../a.md:1 › A');
    expect((await line.run('get', '../../a.md#0')).out).toBe('the ibex climbs\n');
    expect(existsSync(project.at('src/deep/.knowledge'))).toBe(false);
  });

  it.each([
    ['docs/deep', 'wombat', 'a.md:1'],
    ['docs/deep', 'quokka', 'b.md:1'],
    ['docs/deep', 'numbat', '../up.md:1'],
    ['docs', 'wombat', 'deep/a.md:1'],
    ['other', 'okapi', '../b.md:1'],
  ])('prints in %s of %s a place, %s, that get understands', async (directory, word, place) => {
    const project = projects.make({
      '.git/HEAD': 'ref: refs/heads/main\n',
      'b.md': 'the okapi',
      'other/x.ts': '',
      ...{
        'docs/up.md': 'the numbat',
        'docs/deep/a.md': 'the wombat',
        'docs/deep/b.md': 'the quokka',
      },
    });
    const line = new CommandLine({ directory: project.at(directory) });
    await line.run('ingest', '--no-vectors');
    expect((await line.run('search', word)).out).toContain(`1. ${place}`);
    expect((await line.run('get', place)).out).toBe(`the ${word}\n`);
  });

  it('has the application directory that another tool made', async () => {
    const reflection = '.automaker/features/f-1/reflection.md';
    const project = projects.make({ [reflection]: '## Webhooks\nUse backoff.\n' });
    const line = new CommandLine({ directory: project.at('.automaker') });
    expect((await line.run('ingest', '--no-vectors')).out).toContain('folder .automaker');
    const { results } = JSON.parse((await line.run('search', 'backoff', '--json')).out);
    expect(results[0].chunk.id).toBe(`${reflection}#0`);
    expect((await line.run('status')).out).toMatch(/^project .*\nfolder +\.automaker\n/);
    expect(existsSync(project.at('.knowledge'))).toBe(false);
  });

  it.each(
    [
      ['sources'],
      ['sources', 'delete', 'a.md'],
      ['get', 'a.md'],
      ['stale'],
      ['status'],
      ['doctor'],
      ['note', 'list'],
      ['note', 'delete', 'nope'],
      ['prune', '--yes'],
      ['compact', 'nope'],
    ].map((words) => [words]),
  )('gets no store by %j', async (words) => {
    const fresh = projects.make(NOTE);
    await new CommandLine({ directory: fresh.path }).run(...words);
    expect(existsSync(fresh.at('.knowledge'))).toBe(false);
  });

  it.each(['/', 'home'])('is never %s', async (place) => {
    const home = projects.make(NOTE);
    const directory = place === '/' ? '/' : home.path;
    const line = new CommandLine({ directory, home: home.path });
    for (const words of [['ingest'], ['search', 'ibex'], ['status', '--project', directory]]) {
      const { code, out, err } = await line.run(...words);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^knowledge-store: [^\n]+ cannot be a project; [^\n]+\.\n$/);
    }
    expect(existsSync(home.at('.knowledge'))).toBe(false);
  });

  it('is not the home directory because of a stray folder there', async () => {
    const home = projects.make({ '.knowledge/notes/a.md': 'a', 'work/a.md': NOTE['a.md'] });
    const line = new CommandLine({ directory: home.at('work'), home: home.path });
    expect((await line.run('ingest', '--no-vectors')).out).toContain(`project ${home.at('work')},`);
  });
});

describe('get', () => {
  const project = projects.make({ 'd/a.md': 'one\n\n## Two\nthree\n' });
  const line = new CommandLine({ directory: project.path });

  it('prints a chunk, a file or its lines, and the JSON of the routes', async () => {
    await line.run('ingest', '--no-vectors');
    expect((await line.run('get', 'd/a.md#1')).out).toBe('three\n');
    expect((await line.run('get', 'd/a.md')).out).toBe('one\n\n## Two\nthree\n');
    expect((await line.run('get', 'd/a.md:3-4')).out).toBe('## Two\nthree\n');
    expect((await line.run('get', 'd/a.md:4')).out).toBe('three\n');
    const { out } = await line.run('get', 'd/a.md:3-9', '--json');
    expect(JSON.parse(out)).toEqual({
      sourceFile: 'd/a.md',
      from: 3,
      to: 4,
      lines: 4,
      text: '## Two\nthree',
    });
    expect(JSON.parse((await line.run('get', 'd/a.md#1', '--json')).out).chunk.heading).toBe('Two');
  });

  it('prints a chunk by its id from any folder, and a place relative to that folder', async () => {
    const files = { 'd/a.md': 'the ibex\n', 'a.md': 'another\n', '.git/HEAD': 'ref' };
    const inside = new CommandLine({ directory: projects.make(files).at('d') });
    await inside.run('ingest', '--no-vectors');
    expect((await inside.run('get', 'a.md:1')).out).toBe('the ibex\n');
    expect((await inside.run('get', 'a.md#0')).out).toBe('another\n');
  });

  it.each([
    [1, 'd/a.md#9', 'There is no chunk with this id'],
    [1, 'd/b.md', 'is not indexed in this project. The list of sources shows what is.'],
    [1, '../../etc/passwd', 'is not indexed in this project'],
    [1, 'd/a.md:9', 'knowledge-store: The source d/a.md has only 4 lines.'],
    [2, 'd/a.md:4-2', 'Lines are numbered from 1'],
  ])('ends with %i for %s', async (code, what, sentence) => {
    const result = await line.run('get', what);
    expect([result.code, result.out]).toEqual([code, '']);
    expect(result.err).toContain(sentence);
  });
});
