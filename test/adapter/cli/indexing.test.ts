import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

const SETTINGS = '.knowledge/settings.json';

let project: TempProject;
let line: CommandLine;

beforeEach(() => {
  project = projects.make({ 'a.md': '## A\nalpha\n' });
  line = new CommandLine({ directory: project.path });
});

describe('init', () => {
  it('creates an empty settings file, and names the next step', async () => {
    const { code, out, err } = await line.run('init');
    expect([code, out]).toEqual([0, `${SETTINGS} is ready for your settings.\n`]);
    expect(err).toContain('knowledge-store ingest');
    expect(JSON.parse(settings())).toEqual({ knowledgeStore: {} });
    expect((await line.run('init')).out).toBe(`${SETTINGS} was not changed.\n`);
    expect(existsSync(project.database)).toBe(false);
  });
});

it.each(['notes', 'memory', 'documents'])(
  'a folder of ours that is a link out of the project is told: %s',
  async (name) => {
    const elsewhere = projects.make({ 'b.md': '## B\nbeta\n' });
    project.write('.knowledge/settings.json', '{}');
    symlinkSync(elsewhere.path, project.at(`.knowledge/${name}`));
    const told = `.knowledge/${name}/: it is a link out of the project`;
    const { out } = await line.run('ingest', '--no-vectors');
    expect(out).toContain('1 source indexed.');
    expect(out).toContain(`skipped ${told}`);
    expect((await line.run('sources')).out).toContain(`skipped ${told}`);
    expect((await line.run('doctor')).out).toContain(told);
  },
);

describe('ingest', () => {
  it('with --wait ends with 1 if vectors are missing', async () => {
    const { code, err } = await line.run('ingest', '--wait');
    expect(code).toBe(1);
    expect(err).toMatch(/^knowledge-store: \d+ chunks? cannot be found by meaning yet; .+\.\n/m);
  });

  it('indexes all files, and changes nothing the second time', async () => {
    const first = await line.run('ingest', '--json');
    expect(JSON.parse(first.out)).toMatchObject({ indexed: 1, skipped: [] });
    expect((await line.run('ingest', '--no-vectors')).out).toBe(
      `1 source indexed.\n  project ${project.path}, folder .knowledge\n  chunks: 1 file\n`,
    );
    expect((await line.run('search', 'alpha')).out).toContain('a.md:1 › A');
  });

  it('counts the chunks of pages, which the stats of the hybrid variant leave out', async () => {
    project.write('.knowledge/urls/example-org.md', '## Page\nbeta\n');
    const { out } = await line.run('ingest', '--no-vectors');
    expect(out).toContain('  chunks: 1 file, 1 url\n');
    expect((await line.run('rebuild', '--no-vectors')).out).toMatch(/url +1\n/);
  });

  it('writes no settings', async () => {
    await line.run('ingest', '--no-vectors');
    expect(existsSync(project.at(SETTINGS))).toBe(false);
  });

  it('leaves settings that are there alone', async () => {
    project.write(SETTINGS, '{}');
    const { err } = await line.run('ingest', '--no-vectors');
    expect(err).toBe('');
    expect(settings()).toBe('{}');
  });

  it('reports what is left out, as sources and status do', async () => {
    project.writeAll({ 'api/.git/HEAD': 'x', 'web/.git/HEAD': 'x', 'docs/build/b.md': 'x' });
    project.write('c.md', '---\ntitle: *new*\n---\nc');
    const lines = [
      'skipped docs/build/: it is a build folder; "docs/build/" in includePatterns or "ignore": false includes it',
      'skipped api/: it is a separate repository, like 1 more (web/); "api/" in includePatterns or "ignore": false includes it',
    ];
    const { out } = await line.run('ingest', '--no-vectors');
    const told = (await line.run('sources')).out;
    for (const one of lines) for (const text of [out, told]) expect(text).toContain(one);
    for (const text of [out, told])
      expect(text).toContain('read in part c.md: its frontmatter is not valid YAML');
    expect((await line.run('status')).out).toContain('not read   2, and 1 in part; ');
  });

  it('says what it looked for if nothing is found', async () => {
    project.delete('a.md');
    const { code, out } = await line.run('ingest', '--no-vectors');
    expect(code).toBe(0);
    expect(out).toMatch(/^Nothing to index was found in /);
    expect(out).toContain('.knowledge/features/*/reflection.md');
    expect(out.split('\n')[1]).toBe('  **/*.md, or the includePatterns of settings.json');
    expect(out).toMatch(
      /\nTo begin with a note, run "knowledge-store note add <title> <text>"\.\n$/,
    );
  });

  it('says that searches use keywords while there is no model', async () => {
    const { code, err } = await line.run('ingest');
    expect(code).toBe(0);
    expect(err).toContain('Keyword search works now.');
  });
});

function settings(): string {
  return readFileSync(project.at(SETTINGS), 'utf8');
}
