import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../support/running-service.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';
import { claudeLines, codexLines, writeClaude, writeCodex } from '../support/transcripts.js';

const projects = testProjects();
let project: TempProject;
let home: TempProject;

beforeEach(() => {
  project = projects.make({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'docs/a.md': '## Alpha\nthe ibex climbs',
  });
  home = projects.make();
});
const env = () => ({
  HOME: home.path,
  DATA_DIR: home.at('data'),
  CLAUDE_CONFIG_DIR: home.at('claude'),
  CODEX_HOME: home.at('codex'),
  KNOWLEDGE_OFFLINE: '1',
});
const run = (...words: string[]) => runCommand(words, project.path, env());
const sessions = () =>
  readdirSync(project.at('.knowledge/sessions')).filter((n) => n.endsWith('.md'));

describe('the sessions of an agent that never saves a note', () => {
  test('are found by the next search, once the user has agreed', async () => {
    const said = [{ prompt: 'Why does the quokka test fail?', answer: 'The quokka needs TZ=UTC.' }];
    const where = { cwd: join(project.path, 'src'), session: 'a1' };
    await writeClaude(home.at('claude'), claudeLines(said, where), 'a1');
    await run('ingest');
    expect((await run('search', 'quokka')).out).not.toContain('TZ=UTC');

    expect((await run('connect', 'claude', '--sessions')).code).toBe(0);
    await run('ingest');
    expect(sessions()).toEqual(['2026-11-01-a1.md']);
    const { out } = await run('search', 'quokka');
    expect(out).toContain('.knowledge/sessions/2026-11-01-a1.md');
    expect(out).toContain('TZ=UTC');
    expect(out).toContain('2026-11-01, with claude');
    expect((await run('search', 'Alpha')).out).not.toContain('with claude');

    await writeCodex(
      home.at('codex'),
      codexLines([{ prompt: 'And the wombat?', answer: 'The wombat is slow.' }], {
        ...where,
        session: 'b2',
        layers: ['item_completed'],
        start: new Date('2026-11-05T08:00:00Z'),
      }),
      'b2',
    );
    await run('connect', 'codex', '--sessions');
    await run('session-end');
    expect(sessions()).toEqual(['2026-11-01-a1.md', '2026-11-05-b2.md']);
    expect((await run('search', 'wombat')).out).toContain('2026-11-05-b2.md');
    const { results } = JSON.parse((await run('search', 'wombat', '--json')).out);
    expect(results[0]).toMatchObject({ agent: 'codex', said: '2026-11-05T08:00:01.000Z' });
    const id = encodeURIComponent(results[0].chunk.id);
    const { out: details } = await run('api', 'GET', `/x/chunks/${id}`);
    expect(JSON.parse(details)).toMatchObject({ agent: 'codex', said: '2026-11-05T08:00:01.000Z' });
  });
});
