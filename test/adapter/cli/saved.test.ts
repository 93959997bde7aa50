import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

const NOTE = '.knowledge/notes/write-lock.md';

let project: TempProject;
let line: CommandLine;

beforeEach(() => {
  project = projects.make({
    '.knowledge/memory/a.md': '## A\nalpha\n',
    'docs/\u001b[2Jb.md': '',
    'docs/old.md': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
  });
  line = new CommandLine({ directory: project.path });
});

describe('note', () => {
  it('reports that searches leave out an expired one', async () => {
    const left = 'Saved as .knowledge/notes/old.md. It has expired, so searches leave it out.\n';
    const add = ['note', 'add', '--id', 'old', 'Old', 'Writers wait.', '--expires', '2020-01-01'];
    expect(await line.run(...add)).toMatchObject({ out: left, err: '' });
    expect(await line.run('note', 'append', 'old', 'More.')).toMatchObject({ out: left, err: '' });
  });

  it('says that search by meaning needs a model that is not there', async () => {
    const { err } = await line.run('note', 'add', 'Write lock', 'Writers wait.');
    expect(err).toBe('Keyword search finds it now; search by meaning needs the embedding model.\n');
  });

  it('saves a note, which a search finds at once, also from a folder of the project', async () => {
    mkdirSync(project.at('src'));
    const below = new CommandLine({ directory: project.at('src') });
    const words = [
      'note',
      'add',
      'Write lock',
      'Writers',
      'wait.',
      '--tag',
      'sqlite',
      '--tag',
      'wal',
    ];
    expect(await below.run(...words)).toMatchObject({ code: 0, out: `Saved as ${NOTE}.\n` });
    const { results } = JSON.parse((await line.run('search', 'writers', '--json')).out);
    expect(results[0].chunk).toMatchObject({
      sourceFile: NOTE,
      content: 'Writers wait.',
      tags: ['sqlite', 'wal'],
    });
  });

  it('prints the JSON of its routes', async () => {
    const add = ['note', 'add', 'Write lock', 'Writers wait.', '--json'];
    const json = async (...words: readonly string[]) => JSON.parse((await line.run(...words)).out);
    const version = expect.stringMatching(/^[0-9a-f]{16}$/);
    const saved = { id: 'write-lock', sourceFile: NOTE, chunks: 1, version };
    expect(await json(...add)).toEqual(saved);
    expect(await json(...add)).toEqual({ duplicateOf: `${NOTE}#0` });
    expect(await json(...add, '--force')).toMatchObject({ id: 'write-lock-2' });
    const { out } = await line.run('note', 'delete', 'write-lock-2');
    expect(out).toBe('The note write-lock-2 was deleted.\n');
    expect(await json('note', 'replace', 'write-lock', 'Lock', 'New.', '--json')).toEqual(saved);
    expect(await json('note', 'delete', 'write-lock', '--json')).toEqual({ deleted: 1 });
    expect(existsSync(project.at(NOTE))).toBe(false);
  });

  it('says that nothing was saved because the store already says it, and what to do', async () => {
    const words = ['note', 'add', 'Write lock', 'Writers wait.'];
    await line.run(...words);
    const { code, out } = await line.run(...words);
    expect(code).toBe(0);
    expect(out).toBe(
      `Nothing was saved: ${NOTE}#0 says the same, word for word. To save it anyway, add --force.\n`,
    );
  });

  it.each([
    [
      1,
      'There is no note with the id "nope". Searches and the list of notes show the ids.',
      ['delete', 'nope'],
    ],
    [1, 'There is no note with the id "nope".', ['replace', 'nope', 'T', 'text']],
    [2, '--importance must be a number', ['add', 'T', 'text', '--importance', 'high']],
    [2, 'The title must be a non-blank string.', ['add', ' ', 'text']],
    [2, '--id must', ['add', 'T', 'text', '--id', '../a']],
    [2, 'The id must', ['delete', '../a']],
    [2, "Missing required argument 'text'; see --help.", ['add', 'T']],
  ])('ends with %d and "%s" for %j', async (code, sentence, words) => {
    const result = await line.run('note', ...words);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toContain(`knowledge-store: ${sentence}`);
  });
});

describe('a command that is a route', () => {
  it('keeps a text from standard input, with its options', async () => {
    const options = {
      directory: project.path,
      terminal: { readInput: async () => 'The ibex is on call.' },
    };
    const typed = new CommandLine(options);
    const fields = ['path=handbook/on-call.md', 'content=-', 'tags=["ops"]', 'importance=0.9'];
    const { out: saved } = await typed.run('api', 'post', '/x/documents', '-f', ...fields);
    expect(JSON.parse(saved)).toEqual({
      sourceFile: '.knowledge/documents/handbook/on-call.md',
      chunks: 1,
    });
    const found = JSON.parse((await line.run('search', 'ibex', '--json')).out);
    expect(found.results[0].chunk).toMatchObject({ tags: ['ops'], importance: 0.9 });
    project.write('.knowledge/documents/deep/down/by-hand.txt', 'The walia is a wild goat.');
    await line.run('ingest', '--no-vectors');
    const { out } = await line.run('sources', '--type', 'file');
    expect(out).toContain('documents/handbook/on-call.md');
    expect(out).toContain('documents/deep/down/by-hand.txt');
  });

  it.each([
    ['documents', 'a.md'],
    ['documents/handbook', 'handbook/a.md'],
    ['documents/a.md', 'a.md'],
  ])('writes no document through the link %s', async (link, path) => {
    const outside = projects.make({ 'a.md': 'mine' });
    project.write('.knowledge/documents/x.md', 'x');
    project.delete(`.knowledge/${link}`);
    symlinkSync(
      link === 'documents/a.md' ? outside.at('a.md') : outside.path,
      project.at(`.knowledge/${link}`),
    );
    const terminal = { readInput: async () => 'An ibex.' };
    const typed = new CommandLine({ directory: project.path, terminal });
    const fields = [`path=${path}`, 'content=-'];
    expect(await typed.run('api', 'POST', '/x/documents', '-f', ...fields)).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be written'),
    });
    expect(readdirSync(outside.path)).toEqual(['a.md']);
    expect(readFileSync(outside.at('a.md'), 'utf8')).toBe('mine');
  });

  it.each([
    [1, 'page https://example.org', ': KNOWLEDGE_FETCH=1 knowledge-store page <url>;'],
    [2, 'page ftp://example.org', 'The url must'],
    [2, 'api POST /x/digests', 'category'],
    [1, 'api POST /x/features/complete -f featureId=nope', 'There is no feature'],
    [2, 'api POST /x/documents -f path=a.md', 'content must be a non-blank string'],
    [2, 'api GET /stats -f nothing', 'A field must be name=value'],
    [1, 'api GET /x/nothing', 'There is no route GET /api/knowledge/x/nothing'],
  ])('ends with %d for "%s"', async (code, words, sentence) => {
    const result = await line.run(...words.split(' '));
    expect([result.code, result.out]).toEqual([code, '']);
    expect(result.err).toContain(sentence);
  });
});

describe('sources', () => {
  beforeEach(async () => {
    await line.run('ingest', '--no-vectors');
    await line.run('note', 'add', 'Write lock', 'Writers wait.');
  });

  it('lists indexed and skipped sources as a table that fits the terminal', async () => {
    const { code, out } = await line.run('sources');
    expect(code).toBe(0);
    expect(out).toMatch(/^source +type +chunks +size +retrieved\n/);
    expect(out).toMatch(/\.knowledge\/memory\/a\.md +file +1 +11 B +0\n/);
    expect(out).toMatch(/\n3 sources\nskipped docs\/old\.md: [^\n]+\n$/);
    expect(out).not.toContain('\u001b');
    expect(Math.max(...out.split('\n').map((row) => row.length))).toBeLessThanOrEqual(80);
  });

  it('keeps the names of files apart in a narrow terminal, before it shows their sizes', async () => {
    const features = ['.knowledge/features/offline-sync', '.knowledge/features/export-to-csv'];
    const files = features.map((feature) => [`${feature}/reflection.md`, '## A\na\n'] as const);
    const deep = projects.make(Object.fromEntries(files));
    const terminal = { columns: 50, isInteractive: true };
    const narrow = new CommandLine({ directory: deep.path, terminal });
    await narrow.run('ingest', '--no-vectors');
    const { out } = await narrow.run('sources');
    expect(out.split('\n').slice(0, 3)).toEqual([
      'source                          type        chunks',
      '…s/export-to-csv/reflection.md  reflection       1',
      '…es/offline-sync/reflection.md  reflection       1',
    ]);
    const piped = new CommandLine({ directory: deep.path, terminal: { columns: 50 } });
    expect((await piped.run('sources')).out).toContain(`${features[0]}/reflection.md`);
  });

  it('prints the JSON of its routes', async () => {
    const { out } = await line.run('sources', 'list', '--type', 'manual', '--json');
    expect(JSON.parse(out).sources).toMatchObject([{ sourceFile: NOTE, chunks: 1 }]);
    const gone = await line.run('sources', 'delete', NOTE, '--json');
    expect(JSON.parse(gone.out)).toEqual({ deleted: 1 });
    expect(existsSync(project.at(NOTE))).toBe(false);
  });

  it('says that a file which is still there comes back', async () => {
    const { out } = await line.run('sources', 'delete', '.knowledge/memory/a.md');
    expect(out).toBe(
      '1 chunk deleted. The file is still there: the next ingest indexes it again.\n',
    );
    expect(existsSync(project.at('.knowledge/memory/a.md'))).toBe(true);
  });

  it('fails for a source that is not indexed, and for an unknown type', async () => {
    expect((await line.run('sources', 'delete', 'no.md')).code).toBe(1);
    expect((await line.run('sources', '--type', 'toy')).code).toBe(2);
  });
});
