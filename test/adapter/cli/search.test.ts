import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

const LONG = 'Writers wait for the lock of the other process, up to fifteen seconds. '.repeat(12);

describe('search', () => {
  const project = projects.make({
    'docs/db.md': `---\ntags: [sqlite]\n---\n## Locks\nUse WAL.\n\n${LONG}\n\n## Migrations\nEach migration runs once.\n`,
    'docs/evil.md': '## Evil\n\u001b]0;owned\u0007\u001b[2Jhidden \u202etext zebra\n',
  });
  const at = (directory = project.path) => new CommandLine({ directory });

  beforeAll(async () => {
    await at().run('rebuild');
  });

  it('prints the JSON of the route and nothing else', async () => {
    const { code, out, err } = await at().run('search', 'migration', '--json');
    const body = JSON.parse(out);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(Object.keys(body)).toEqual([
      ...['results', 'weak', 'leftOut'],
      ...['retrieval_mode', 'totalTokens'],
    ]);
    expect(body.results[0].chunk).toMatchObject({ id: 'docs/db.md#1', heading: 'Migrations' });
    expect(out).toBe(`${JSON.stringify(body)}\n`);
  });

  it.each([
    [['search', 'walrus']],
    [['similar', 'walrus']],
    [['search', 'walrus', '--projects', '.']],
  ])('prints as many results as JSON as it shows to people: %j', async (words) => {
    const files = Array.from({ length: 8 }, (_, n) => [`docs/${n}.md`, `A walrus, number ${n}.`]);
    const many = at(projects.make(Object.fromEntries(files)).path);
    await many.run('rebuild');
    expect(JSON.parse((await many.run(...words, '--json')).out).results).toHaveLength(5);
    expect((await many.run(...words)).out.match(/number \d/g)).toHaveLength(5);
  });

  it('prints the response of the specified route on request', async () => {
    const { out } = await at().run('search', 'migration', '--profile', 'specified', '--json');
    expect(Object.keys(JSON.parse(out))).toEqual(['results', 'retrieval_mode', 'totalTokens']);
    expect((await at().run('search', 'x', '--profile', 'other')).code).toBe(2);
  });

  it.each([
    [['--path', 'docs'], 1],
    [['--path', 'notes/**', '--path', 'docs/d?.md'], 1],
    [['--path', 'elsewhere'], 0],
    [['--since', '1h'], 1],
    [['--until', '2020-01-01'], 0],
  ])('searches with %j only what passes', async (options, count) => {
    const { out } = await at().run('search', 'migration', ...options, '--json');
    expect(JSON.parse(out).results).toHaveLength(count);
  });

  it.each([
    ['--since', 'yesterday'],
    ['--until', '2026-02-30'],
    ['--path', '../elsewhere'],
  ])('exits with 2 for %s %s, and says what it takes', async (option, value) => {
    const { code, err } = await at().run('search', 'migration', option, value);
    expect([code, err]).toEqual([2, expect.stringMatching(/for example|such as/)]);
  });

  it('exits with 1 if nothing is found, on request', async () => {
    expect((await at().run('search', 'nonsenseword')).code).toBe(0);
    const { code, out } = await at().run('search', 'nonsenseword', '--fail-on-empty', '--json');
    expect([code, JSON.parse(out).results]).toEqual([1, []]);
    expect((await at().run('search', 'wal', '--fail-on-empty')).code).toBe(0);
  });

  it('shows source, heading, text and tags of each result', async () => {
    const { out } = await at().run('search', 'wal');
    expect(out).toContain('1. docs/db.md:4 › Locks  #sqlite');
    expect(out).toContain('Use WAL.');
    const missing =
      'No embedding model is installed. This search used keywords only, so results have no relevance.';
    expect(out.replace(/\s+/g, ' ')).toMatch(new RegExp(`by keyword, \\d+ tokens\\. ${missing} $`));
    const wanted = await at().run('search', 'wal', '--no-model');
    expect(wanted.out).toMatch(/1 result by keyword, \d+ tokens\n$/);
  });

  it('fits the terminal, and shows the whole text only if asked', async () => {
    const narrow = new CommandLine({ directory: project.path, terminal: { columns: 40 } });
    const preview = (await narrow.run('search', 'writers')).out;
    const full = (await narrow.run('search', 'writers', '--full')).out;
    expect(Math.max(...preview.split('\n').map((line) => line.length))).toBeLessThanOrEqual(42);
    expect(full.length).toBeGreaterThan(preview.length);
    expect(full.replace(/\s+/g, ' ')).toContain(LONG.trim());
  });

  it('cuts a long heading below a long path to one line, unless all is shown', async () => {
    const heading = `Retries ${'of what failed because nobody answered '.repeat(4).trim()}`;
    const long = projects.make({ 'docs/retries/backoff.md': `## ${heading}\nUse jitter.\n` });
    const narrow = new CommandLine({ directory: long.path, terminal: { columns: 60 } });
    await narrow.run('ingest', '--no-vectors');
    const { out } = await narrow.run('search', 'jitter');
    expect(out.split('\n').slice(0, 3)).toEqual([
      '1. docs/retries/backoff.md:1',
      `   › ${heading.slice(0, 54).trimEnd()}…`,
      '   Use jitter.',
    ]);
    const full = (await narrow.run('search', 'jitter', '--full')).out;
    expect(full.replace(/\s+/g, ' ')).toContain(`› ${heading} Use jitter.`);
  });

  it('shows the passage under its own heading, and a code block or list as a whole', async () => {
    const text = [
      '## Upkeep',
      'Much is said about the store here.',
      '### Restore',
      'Stop the store, then:',
      '```sh',
      'mv spare.db store.db',
      'store restart --quietly',
      'store status',
      '```',
      '### Backups',
      '1. close the store',
      '2. copy every ocelot',
      '3. open the store',
    ];
    const upkeep = projects.make({ 'docs/upkeep.md': text.join('\n') });
    await at(upkeep.path).run('ingest', '--no-vectors');
    const lines = async (query: string) =>
      (await at(upkeep.path).run('search', query)).out.split('\n').slice(0, 7);
    expect(await lines('quietly')).toEqual([
      expect.stringMatching(/^1\. docs\/upkeep\.md:\d+ › Restore$/),
      ...text.slice(4, 9).map((line) => `   ${line}`),
      '',
    ]);
    expect((await lines('ocelot')).slice(0, 4)).toEqual([
      expect.stringMatching(/^1\. docs\/upkeep\.md:\d+ › Backups$/),
      ...text.slice(10).map((line) => `   ${line}`),
    ]);
  });

  it('marks the matching words, also in other forms', async () => {
    const colorful = { colors: { out: true, err: false } };
    const line = new CommandLine({ directory: project.path, terminal: colorful });
    const { out } = await line.run('search', 'migrations');
    expect(out).toContain('Each \u001b[1m\u001b[33mmigration\u001b[39m\u001b[22m runs once.');
    expect((await at().run('search', 'migrations')).out).not.toContain('\u001b');
    expect((await line.run('search', 'the writers')).out).not.toContain('\u001b[33mthe');
  });

  it('does not let text of a project control the terminal', async () => {
    const { out } = await at().run('search', 'zebra');
    expect(out).toContain('hidden text zebra');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it('does not create a missing application directory', async () => {
    const other = projects.make({ 'a.md': '## A\nalpha\n' });
    const { code, out } = await at(other.path).run('search', 'alpha');
    expect(code).toBe(0);
    expect(out).toMatch(/^Nothing is indexed in .* yet; run "knowledge-store ingest"\.\n$/);
    expect(existsSync(other.at('.knowledge'))).toBe(false);
  });

  it.each([
    ['search', '.git/HEAD'],
    ['search --no-model', '.git/HEAD'],
    ['search --json', '.git'],
    ['search', '.knowledge/notes/a.md'],
    ['similar', '.git/HEAD'],
  ])('indexes a project that was never indexed: %s, with %s', async (command, mark) => {
    const fresh = projects.make({ 'docs/a.md': '## Zoo\n\nan axolotl swims\n', [mark]: '# B\n' });
    const { code, out } = await at(fresh.path).run(...command.split(' '), 'axolotl swims');
    expect(code).toBe(0);
    expect(out).toMatch(/docs\/a\.md/);
  });

  it('leaves a project alone whose settings leave indexing to a person', async () => {
    const fresh = projects.make({ 'docs/a.md': '## Zoo\n\nan axolotl swims\n', '.git/HEAD': '' });
    fresh.writeSettings({ autoReindex: false });
    const { out } = await at(fresh.path).run('search', 'axolotl');
    expect(out).toMatch(/^Nothing is indexed/);
  });

  it.each(['similar', 'lessons'])('has a relative: %s', async (command) => {
    const { code, out } = await at().run(command, 'each migration runs', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out).results).toBeInstanceOf(Array);
    expect((await at().run(command, 'each migration runs')).code).toBe(0);
  });

  it('says where to look if there are no lessons', async () => {
    const { path } = projects.make({
      'docs/deploy.md': '## Deploying\nThe wombat deploys on Tuesdays.\n',
    });
    await at(path).run('ingest');
    const { err } = await at(path).run('lessons', 'wombat deploys');
    expect(err).toContain(
      '"knowledge-store search" also covers documents and notes; the best match is docs/deploy.md:1.',
    );
  });

  it('finds the lessons in notes', async () => {
    const fresh = projects.make({ '.git/HEAD': 'ref: refs/heads/main\n' });
    const note = ['note', 'add', 'Flaky upload test', 'Mock the clock, or it times out.'];
    expect((await at(fresh.path).run(...note)).code).toBe(0);
    const { out } = await at(fresh.path).run('lessons', 'flaky upload test');
    expect(out).toContain('Mock the clock');
  });

  it('shows five results, and each where an editor opens it', async () => {
    const files = Array.from({ length: 9 }, (_, i) => [`d/${i}.md`, `\n\n## Ibex\nclimbs ${i}\n`]);
    const many = projects.make({ ...Object.fromEntries(files), '.git/HEAD': '' });
    await at(many.path).run('rebuild', '--no-vectors');
    mkdirSync(many.at('src'));
    const { out } = await at(many.at('src')).run('search', 'ibex');
    const places = [...out.matchAll(/^\d\. (\S+):(\d+)/gm)];
    expect(places).toHaveLength(5);
    for (const [, path = '', line] of places) {
      const lines = readFileSync(join(many.at('src'), path), 'utf8').split('\n');
      expect(lines[Number(line) - 1]).toBe('## Ibex');
    }
    expect(out).toContain('more with -n');
  });

  it.each([
    [['-t', '5'], 'more than the budget of 5. Use a larger --max-tokens.'],
    [['--type', 'reflection'], 'Nothing found with --type reflection.'],
    [['--tag', 'nope'], 'Nothing found with --tag nope.'],
    [['--path', 'elsewhere'], 'Nothing found with --path elsewhere.'],
  ])('says what kept results away: %j', async (options, sentence) => {
    const { out } = await at().run('search', 'writers OR migration', ...options);
    expect(out.replace(/\s+/g, ' ')).toContain(sentence);
  });

  it('is not held up by long words and names', async () => {
    const long = projects.make({ 'a.md': `## ${'x'.repeat(900_000)}\n${'語'.repeat(300_000)}\n` });
    await at(long.path).run('rebuild', '--no-vectors');
    const { code, out } = await at(long.path).run('search', '語');
    expect(code).toBe(0);
    expect(out.length).toBeLessThan(10_000);
  }, 20_000);
});
