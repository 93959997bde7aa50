import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { diagnosisText } from '../../../src/adapters/cli/commands/upkeep.js';
import { CommandLine } from '../../support/command-line.js';
import { execute } from '../../support/database-inspection.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

const FILES = {
  claude: '.mcp.json',
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
} as const;

let project: TempProject;
const run = (...words: readonly string[]) =>
  new CommandLine({ directory: project.path }).run(...words);

beforeEach(async () => {
  project = projects.make({ 'docs/a.md': '## Otters\nAn otter sleeps.\n' });
  await run('rebuild', '--no-vectors');
});

describe('doctor', () => {
  it('says that all is well', async () => {
    const { code, out } = await run('doctor');
    expect(code).toBe(0);
    const [, sound, place] = out.split('\n');
    expect(out).toMatch(/^- 1 chunk has no vector yet: /);
    expect(sound).toBe('The store is sound.');
    expect(place).toBe(`  project ${project.path}, folder .knowledge`);
  });

  it.each([
    ['{"knowledgeStore":', 'The file is not JSON'],
    ['{"knowledgeStore":{"staleChunks":"never"}}', 'knowledgeStore.staleChunks must be'],
  ])('does not call a project well whose settings have errors: %s', async (settings, problem) => {
    project.write('.knowledge/settings.json', settings);
    const { code, out, err } = await run('doctor');
    expect(code).toBe(1);
    expect(out).toContain(`- .knowledge/settings.json: ${problem}`);
    expect(out).toContain('\nThe store is sound, but settings.json has errors.\n');
    expect(err).toContain('These problems need your attention; see the list above.');
    const json = await run('doctor', '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ ok: true });
    expect(json.err).toContain(problem);
  });

  it('takes a pattern without files for no error of the settings, even if it ends with their name', async () => {
    const include = { includePatterns: ['**/*.md', 'docs/settings.json'] };
    project.write('.knowledge/settings.json', JSON.stringify({ knowledgeStore: include }));
    const { code, out } = await run('doctor');
    expect(out).toContain('- docs/settings.json: this pattern matched no file');
    expect(out).toContain('\nThe store is sound.\n');
    expect(code).toBe(0);
  });

  it('calls a store that does not exist yet not sound, and says what creates it', () => {
    const finding = { code: 'no_store', sentence: 'There is no store.' };
    expect(diagnosisText({ ok: true, findings: [finding] }, [])).toBe(
      '- There is no store.\nRun "knowledge-store ingest".',
    );
  });

  it('indents the further lines of a finding, such as the ways to get a model', () => {
    const finding = { code: 'vectors_missing', sentence: 'No model. Alternatives:\nA.\nOr B.' };
    expect(diagnosisText({ ok: true, findings: [finding] }, [])).toBe(
      '- No model. Alternatives:\n  A.\n  Or B.\nThe store is sound.',
    );
  });

  it.each(['claude', 'cursor', 'vscode', 'codex', 'gemini'])(
    'names an entry that leads to nothing: %s',
    async (agent) => {
      await run('connect', agent);
      const file = FILES[agent as keyof typeof FILES];
      const before = existing(readFileSync(project.at(file), 'utf8'));
      project.write(file, before);
      expect((await run('doctor')).code).toBe(0);
      for (const path of new Set(before.match(/"\/[^"]*"/g))) {
        project.write(file, before.replace(path, '"/gone/away"'));
        const { code, out } = await run('doctor');
        expect(code).toBe(1);
        expect(out).toContain(
          `- The entry in ${file} names /gone/away, which does not exist; to write it again, run "knowledge-store connect ${agent}".\n`,
        );
      }
    },
  );

  it.each([
    [['connect', 'claude'], '.mcp.json'],
    [['connect', 'codex'], '.codex/config.toml'],
    [['connect', 'claude', '--hooks'], '.claude/settings.local.json'],
  ])('names a command that is not on the PATH: %j', async (words, file) => {
    const program = { command: ['knowledge-store'], isPortable: true } as const;
    const installed = new CommandLine({ directory: project.path, program });
    await installed.run(...words);
    expect((await installed.run('doctor')).code).toBe(0);
    const { code, out } = await run('doctor');
    expect(code).toBe(1);
    expect(out).toContain(
      `- The entry in ${file} names the command knowledge-store, which is not on the PATH; to write it again,`,
    );
  });

  it('names hooks that lead to nothing', async () => {
    await run('connect', 'claude', '--hooks');
    const file = '.claude/settings.local.json';
    const text = existing(readFileSync(project.at(file), 'utf8'));
    project.write(file, text.replaceAll(project.path, '/gone/away'));
    const { code, out } = await run('doctor');
    expect(code).toBe(1);
    expect(out).toContain(`- The entry in ${file} names /gone/away`);
  });

  it('ends with 1 until the store is repaired, and says how to do that', async () => {
    execute(project.database, "INSERT INTO chunks_fts(chunks_fts) VALUES ('delete-all')");
    const { code, out, err } = await run('doctor');
    expect(code).toBe(1);
    expect(out).toMatch(/^- The full-text index does not match/);
    expect(err).toBe(
      'knowledge-store: The store has problems; to repair them, run "knowledge-store doctor --repair".\n',
    );
    expect(await run('search', 'otter')).toMatchObject({
      out: expect.stringContaining('Nothing found.'),
    });
    const repaired = await run('doctor', '--repair', '--json');
    expect(repaired.code).toBe(0);
    expect(JSON.parse(repaired.out)).toMatchObject({
      ok: true,
      findings: [{ code: 'index_outdated', repaired: true }, { code: 'vectors_missing' }],
    });
    expect((await run('search', 'otter')).out).toContain('An otter sleeps.');
  });
});

describe.each([
  ['text', () => 'this is no database at all'],
  ['a pointer of Git LFS', () => 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n'],
  ['half of it', (before: Buffer) => before.subarray(0, before.length / 2)],
])('where the database has become %s,', (_, damage) => {
  it.each([
    ['search', ['search', 'otter'], 'An otter sleeps.'],
    ['ingest', ['ingest'], '1 source indexed.'],
    ['note', ['note', 'add', 'Seals', 'A seal barks.'], 'Saved as'],
  ])('the next %s works, and so do those after it', async (_, words, expected) => {
    const before = readFileSync(project.database);
    for (const suffix of ['-wal', '-shm']) rmSync(project.database + suffix, { force: true });
    writeFileSync(project.database, damage(before));
    expect(await run(...words)).toMatchObject({
      code: 0,
      out: expect.stringContaining(expected),
    });
    expect((await run('search', 'otter')).out).toContain('An otter sleeps.');
  });
});

describe('import', () => {
  it('adds the contents of another database, by its path from the working directory', async () => {
    const other = projects.make({ 'docs/a.md': '## Otters\nAn otter sleeps.\n' });
    const line = new CommandLine({ directory: project.path });
    const words = ['import', '.knowledge/knowledge.db', '--project', other.path];
    expect(await line.run(...words)).toMatchObject({
      code: 0,
      out: 'Added 1 chunk, 0 vectors and the questions of 0 chunks; left out 0 chunks.\n',
    });
    expect((await line.run('search', 'otter', '--project', other.path)).out).toContain(
      'An otter sleeps.',
    );
  });

  it.each([
    ['no.db', 'The file to import does not exist'],
    ['docs/a.md', 'not a database'],
  ])('refuses %s', async (path, sentence) => {
    expect(await run('import', path)).toMatchObject({
      code: 1,
      err: expect.stringContaining(sentence),
    });
  });
});

/** With a script that exists: that of the commands in this test does not. */
function existing(text: string): string {
  return text.replace(/(["'])\/[^"']*\.js\1/g, (_, quote) => `${quote}${process.execPath}${quote}`);
}
