import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

describe('the command line', () => {
  const project = projects.make({ '.knowledge/memory/a.md': '## A\nalpha\n' });
  const line = new CommandLine({ directory: project.path });

  it.each([
    [['serach', 'x'], "Unknown command 'serach'; did you mean search?"],
    [['help', 'nope'], "Unknown command 'nope'; see --help."],
    [['help', 'note', 'nope'], "Unknown command 'note nope'; see note --help."],
    [['search'], "Missing required argument 'query'; see --help."],
    [['get'], "Missing required argument 'id-or-path'; see --help."],
    [
      ['search', '--projects', '.', 'lock'],
      '--projects takes all words after it; put the query first',
    ],
    [['status', '--bogus'], "Unknown option '--bogus'; see --help."],
    [['note', 'add', 'T', '- item one'], 'put -- before a text that begins with "-"'],
    [['search', '--force it'], 'put -- before a text that begins with "-"'],
    [['search', 'x', '-n', '0'], '--max-results must be a whole number from 1 to 1000.'],
    [['search', 'x', '-n', 'many'], '--max-results must be a whole number from 1 to 1000.'],
    [['search', 'x', '-n', '1e999'], '--max-results must be a whole number from 1 to 1000.'],
    [['search', 'x', '-n', ''], '--max-results must be a whole number from 1 to 1000.'],
    [['search', 'x', '--min-relevance', 'high'], '--min-relevance must be'],
    [['search', ' '], 'The query must be a non-blank string.'],
    [['search', 'x', '--type', 'toy'], '--type must be "all" or a list of file, reflection,'],
    [['compact', '../a'], 'The category must'],
  ])('refuses %j with 2 and one line', async (words, sentence) => {
    const { code, out, err } = await line.run(...words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^knowledge-store: [^\n]+[.?]\n$/);
    expect(err).toContain(sentence);
  });

  it('ends with 1 and one line if something cannot be done', async () => {
    const missing = join(project.path, 'nowhere');
    expect(await line.run('status', '--project', missing, '--json')).toEqual({
      code: 1,
      out: '',
      err: `knowledge-store: --project must name a directory; ${missing} is not one.\n`,
    });
    expect(await line.run('mcp', '--project', missing)).toMatchObject({ code: 1 });
    const { code, err } = await line.run('compact', 'unknown');
    expect([code, err.split('\n').length]).toEqual([1, 2]);
  });

  it('names a variable that has a wrong value', async () => {
    const env = { KNOWLEDGE_STORE: 'floppy' };
    const { code, err } = await new CommandLine({ directory: project.path, env }).run('status');
    expect(code).toBe(1);
    expect(err).toMatch(/^knowledge-store: KNOWLEDGE_STORE must be .*\n$/);
  });

  it('prints its help to standard output, and to standard error if no command is given', async () => {
    const help = await line.run('--help');
    const nothing = await line.run();
    expect([help.code, help.err]).toEqual([0, '']);
    expect([nothing.code, nothing.out, nothing.err]).toEqual([2, '', help.out]);
  });

  it('prints the help of a command of a command: help note add', async () => {
    const { code, out, err } = await line.run('help', 'note', 'add');
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe((await line.run('note', 'add', '--help')).out);
  });

  it('has a help with a description for every command', async () => {
    const { out } = await line.run('--help');
    const commands = [...out.matchAll(/^ {2}([a-z]+) .*? {2,}(\S.*)$/gm)].map(
      ([, name = '']) => name,
    );
    expect(commands).toContain('search');
    for (const command of commands.filter((name) => name !== 'help')) {
      const help = await line.run(command, '--help');
      expect(help).toMatchObject({ code: 0, err: '' });
      expect(help.out).toContain(`Usage: knowledge-store ${command}`);
    }
  });

  it('prints its version', async () => {
    expect(await line.run('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });
});
