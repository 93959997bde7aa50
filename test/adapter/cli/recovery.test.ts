import { beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import { execute } from '../../support/database-inspection.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

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
    expect(out).toMatch(/- 1 chunk has no vector yet: .*\nThe store is sound\.\n$/);
  });

  it('ends with 1 until the store is repaired, and says how to do that', async () => {
    execute(project.database, "INSERT INTO chunks_fts(chunks_fts) VALUES ('delete-all')");
    const { code, out, err } = await run('doctor');
    expect(code).toBe(1);
    expect(out).toMatch(/^- The full-text index does not match/);
    expect(err).toBe(
      'knowledge-store: There are problems; run "knowledge-store doctor --repair".\n',
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

describe('import', () => {
  it('adds what another database holds, by its path from the working directory', async () => {
    const other = projects.make({ 'docs/a.md': '## Otters\nAn otter sleeps.\n' });
    const line = new CommandLine({ directory: project.path });
    const words = ['import', '.knowledge/knowledge.db', '--project', other.path];
    expect(await line.run(...words)).toMatchObject({
      code: 0,
      out: '1 chunk, 0 vectors and the questions of 0 chunks added; 0 chunks left out.\n',
    });
    expect((await line.run('search', 'otter', '--project', other.path)).out).toContain(
      'An otter sleeps.',
    );
  });

  it.each([
    ['no.db', 'There is no such file'],
    ['docs/a.md', 'not a database'],
  ])('refuses %s', async (path, sentence) => {
    expect(await run('import', path)).toMatchObject({
      code: 1,
      err: expect.stringContaining(sentence),
    });
  });
});
