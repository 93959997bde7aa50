import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
const ENTRIES = [
  { question: 'who waits for the ibex', expect: 'docs/locks.md#Waiting writers' },
  { question: 'when is a lock removed', expect: 'older than a minute' },
  { question: 'purple elephants', expect: 'none' },
  { question: 'ibex', expect: 'docs/release.md' },
];
let project: TempProject;
let line: CommandLine;

beforeEach(async () => {
  project = projects.make({
    '.git/HEAD': '',
    'docs/locks.md':
      '# Locks\n\n## Waiting writers\nWriters wait for the ibex.\n\n## Stale locks\nA lock older than a minute is removed.\n',
    'docs/release.md': '# Release\n\n## Version 1.10\nThe release needs a tag.\n',
    'q.json': JSON.stringify(ENTRIES),
  });
  line = new CommandLine({ directory: project.path, home: projects.make().path });
  await line.run('ingest', '--no-vectors');
});

describe('eval', () => {
  it('measures every profile, and prints nothing but JSON with --json', async () => {
    const { code, out, err } = await line.run('eval', 'q.json', '--json');
    const measures = {
      first: 2,
      withinFive: 2,
      hidden: 0,
      wronglyAnswered: 0,
      mrr: 0.6667,
      count: 4,
    };
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      profiles: { reading: measures, specified: measures, keywords: measures },
      questions: ENTRIES.map((entry, i) => ({ ...entry, rank: i < 2 ? 1 : null, relevance: null })),
    });
    expect(err).toContain('No vectors were compared');
  });

  it('prints a table, and the questions whose right result is not first', async () => {
    const { out } = await line.run('eval', 'q.json');
    expect(out).toMatch(/^reading +2 +2 +0 +0 +0\.667 +4$/m);
    expect(out).toContain('ibex → docs/release.md: not shown');
    expect(out).not.toContain('who waits');
  });

  it('does not count as a retrieval', async () => {
    await line.run('eval', 'q.json');
    const { chunks } = JSON.parse((await line.run('api', 'GET', '/x/chunks')).out);
    for (const { retrievals } of chunks) expect(retrievals).toBe(0);
  });

  it.each([
    ['0', 0],
    ['2', 0],
    ['3', 1],
  ])('ends with 1 where fewer than --min-first come first: %s', async (minimum, expected) => {
    const { code, out, err } = await line.run('eval', 'q.json', '--json', '--min-first', minimum);
    expect(code).toBe(expected);
    expect(JSON.parse(out).profiles.reading.first).toBe(2);
    expect(err.includes('2 of 4 questions')).toBe(expected === 1);
  });

  it('reads YAML, in which everything is a text', async () => {
    project.write(
      'q.yaml',
      '- question: release tag\n  expect: 1.10\n- {question: 7, expect: no}\n',
    );
    const { questions } = JSON.parse((await line.run('eval', 'q.yaml', '--json')).out);
    expect(questions.map(({ expect: wanted }: { expect: string }) => wanted)).toEqual([
      '1.10',
      'no',
    ]);
    expect(questions[0].rank).toBe(1);
  });

  it.each([
    ['gone.yaml', undefined, 'There is no such file.'],
    ['docs', undefined, 'folder'],
    ['b.yaml', '- question: a\n- b', 'Entry 1 needs an "expect"'],
    ['b.yaml', '[{', 'line 1'],
    ['b.yaml', 'question: a', 'must be a list'],
    ['b.json', '[{"question": "a"}]', 'Entry 1 needs an "expect"'],
    ['b.json', '{', 'cannot be used'],
    ['b.yaml', '', 'must be a list'],
  ])('names the file and the entry that is wrong: %s %j', async (file, content, reason) => {
    if (content !== undefined) project.write(file, content);
    const { code, out, err } = await line.run('eval', file);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(new RegExp(`^knowledge-store: .*${file}.*\n$`));
    expect(err).toContain(reason);
  });

  it.each([
    [[], 'eval --init'],
    [['q.json', '--min-first', 'x'], '--min-first'],
    [['q.json', '--min-first', '-1'], '--min-first'],
    [['q.json', '--min-first', '1.5'], '--min-first'],
  ])('says what is wrong with %j', async (words, reason) => {
    const { code, err } = await line.run('eval', ...words);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) });
  });

  it('says that a file is not indexed', async () => {
    project.write('b.yaml', '- {question: a, expect: docs/gone.md}');
    expect((await line.run('eval', 'b.yaml')).err).toContain('"docs/gone.md" is not an indexed');
  });

  it.each(['questions.yaml', 'mine.yaml', 'mine.json'])(
    'writes questions to begin with, which it can ask: %s',
    async (file) => {
      const words = file === 'questions.yaml' ? [] : [file];
      expect(await line.run('eval', '--init', ...words)).toMatchObject({ code: 0, err: '' });
      const { profiles } = JSON.parse((await line.run('eval', file, '--json')).out);
      expect(profiles.reading).toMatchObject({ first: 3, count: 3 });
      const before = readFileSync(project.at(file), 'utf8');
      const again = await line.run('eval', '--init', ...words);
      expect(again).toMatchObject({ code: 1, err: expect.stringContaining('already exists') });
      expect(readFileSync(project.at(file), 'utf8')).toBe(before);
    },
  );

  it('asks nothing about notes that searches leave out', async () => {
    await line.run('note', 'add', 'Old ibex rule', 'Feed the ibex twice.');
    const newer = ['note', 'add', 'New ibex rule', 'Feed the ibex once.'];
    await line.run(...newer, '--supersedes', 'old-ibex-rule');
    const past = ['note', 'add', 'Past ibex rule', 'Count every ibex today.'];
    await line.run(...past, '--expires', '2020-01-01');
    expect(await line.run('eval', '--init')).toMatchObject({ code: 0 });
    const asked = readFileSync(project.at('questions.yaml'), 'utf8');
    expect(asked).toContain('New ibex rule');
    expect(asked).not.toMatch(/Old ibex|Past ibex/);
  });

  it.each(['missing/mine.yaml', 'q.json/mine.yaml', `${'x'.repeat(300)}.yaml`])(
    'says why the questions cannot be written, and what helps: %s',
    async (file) => {
      const { code, out, err } = await line.run('eval', '--init', file);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(
        /^knowledge-store: \S+ cannot be written \(E\w+: [a-z ]+\); name another/,
      );
    },
  );

  it('asks nothing if nothing is indexed', async () => {
    const bare = projects.make({ '.git/HEAD': '' });
    for (const words of [['q.json'], ['--init']]) {
      const { code, err } = await line.run('eval', ...words, '--project', bare.path);
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining('Nothing is indexed'),
      });
    }
  });
});
