import { beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import { execute } from '../../support/database-inspection.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

let project: TempProject;
const line = (terminal = {}) => new CommandLine({ directory: project.path, terminal });

beforeEach(async () => {
  project = projects.make({ '.knowledge/memory/a.md': '## Old\nalpha\n\n## Older\nbeta\n' });
  await line().run('rebuild');
});

describe('prune', () => {
  beforeEach(() => {
    execute(project.database, `UPDATE chunks SET created_at = '2020-01-01T00:00:00.000Z'`);
  });

  it('deletes nothing if nobody can confirm it, and says how to', async () => {
    const { code, out, err } = await line().run('prune');
    expect(code).toBe(1);
    expect(out).toContain('2 chunks would be deleted.');
    expect(err).toMatch(/^knowledge-store: Nothing was deleted; [^\n]* prune --yes[^\n]*\n$/);
    expect(await chunks()).toBe(2);
  });

  it('asks a person, and takes no for an answer', async () => {
    const asked: string[] = [];
    const answering = (answer: boolean) => ({
      isInteractive: true,
      confirm: async (question: string) => {
        asked.push(question);
        return answer;
      },
    });
    expect((await line(answering(false)).run('prune')).code).toBe(1);
    expect(await chunks()).toBe(2);
    await line(answering(true)).run('prune');
    expect(await chunks()).toBe(0);
    expect(asked).toEqual(['Delete 2 chunks?', 'Delete 2 chunks?']);
  });

  it('deletes with --yes, and only shows with --dry-run', async () => {
    const preview = JSON.parse((await line().run('prune', '--dry-run', '--yes', '--json')).out);
    expect([preview.deleted, await chunks()]).toEqual([2, 2]);
    const { out } = await line().run('prune', '--yes');
    expect(out).toContain('2 chunks deleted.');
    expect(await chunks()).toBe(0);
    expect((await line().run('prune', '--yes')).out).toBe('There is nothing to prune.\n');
  });
});

describe('compact', () => {
  it('cannot summarize without a model', async () => {
    const { code, err } = await line().run('compact', 'a', '--threshold', '1');
    expect(code).toBe(1);
    expect(err).toMatch(/^knowledge-store: .*\.\n$/);
  });
});

describe('status and api', () => {
  it('show the current state', async () => {
    expect((await line().run('status')).out).toMatch(/vectors +0 +2\n/);
  });

  it('print the JSON of routes', async () => {
    expect(JSON.parse((await line().run('api', 'GET', '/stats')).out).totalChunks).toBe(2);
    const status = JSON.parse((await line().run('status', '--json')).out);
    expect(status.embeddings).toEqual({ complete: 0, pending: 2 });
  });
});

async function chunks(): Promise<number> {
  return JSON.parse((await line().run('api', 'GET', '/stats')).out).totalChunks;
}
