import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, utimesSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { REFERENCE_MODEL } from '../../src/domain/ranking/cosine-scale.js';
import { clientOfProcess, textOf } from '../support/mcp-client.js';
import { commandEnvironment, eventually, runCommand } from '../support/running-service.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';
import { writeTinyModel } from '../support/tiny-model.js';
import { claudeLines, codexLines, writeClaude, writeCodex } from '../support/transcripts.js';

/** An agent that is told something in one session, saves no note, and needs it in the next one. */

const LEARNED = 'apple banana cherry needs TZ=UTC';
const SAID = [{ prompt: 'Why does apple banana cherry fail?', answer: `Fixed: ${LEARNED}.` }];

const projects = testProjects();
let project: TempProject;
let home: TempProject;
let environment: Readonly<Record<string, string>>;

beforeEach(async () => {
  project = projects.make({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'docs/disk.md': '## Disk\ndisk engine forest disk engine forest\n',
  });
  home = projects.make();
  environment = {
    ...commandEnvironment(),
    HOME: home.path,
    DATA_DIR: home.at('data'),
    CLAUDE_CONFIG_DIR: home.at('claude'),
    CODEX_HOME: home.at('codex'),
    KNOWLEDGE_OFFLINE: '1',
    KNOWLEDGE_SERVICE: 'on',
    KNOWLEDGE_SERVICE_IDLE_S: '60',
  };
  await writeTinyModel(home.at('data/models'), {}, REFERENCE_MODEL);
  await run('init');
});
afterEach(async () => {
  await run('stop');
});

const run = (...words: readonly string[]) => runCommand(words, project.path, environment);

test('Claude Code gets lessons of an earlier session through its hooks', async () => {
  await run('connect', 'claude', '--hooks', '--sessions');
  const first = { session_id: 'first', cwd: project.path };
  await hook('SessionStart', { ...first, source: 'startup' });
  await hook('UserPromptSubmit', { ...first, prompt: SAID[0]?.prompt });
  const lines = claudeLines(SAID, { cwd: project.path, session: 'first' });
  const transcript = await writeClaude(home.at('claude'), lines, 'first');
  const ended = { ...first, transcript_path: transcript, reason: 'exit' };
  expect(await hook('SessionEnd', ended)).toBe('');

  const prompt = (session: string) =>
    hook('UserPromptSubmit', { session_id: session, cwd: project.path, prompt: LEARNED });
  await eventually(async () => (await prompt('second')).includes(LEARNED));
  project.write('.git/HEAD', 'ref: refs/heads/apple-banana-cherry-needs-tz-utc\n');
  expect(await hook('SessionStart', { session_id: 'third', source: 'startup' })).toContain(LEARNED);
});

test('Codex finds lessons of an earlier session through its server', async () => {
  await run('connect', 'codex', '--sessions');
  const lines = codexLines(SAID, {
    cwd: project.path,
    session: 'first',
    layers: ['item_completed', 'response_item'],
  });
  const transcript = await writeCodex(home.at('codex'), lines, 'first');
  const threeMinutesAgo = Date.now() / 1000 - 180;
  utimesSync(transcript, threeMinutesAgo, threeMinutesAgo);

  const { client } = await clientOfProcess(codexServer());
  try {
    await eventually(async () => {
      const found = await client.callTool({ name: 'search', arguments: { query: LEARNED } });
      return textOf(found).includes(`Fixed: ${LEARNED}`);
    });
    const found = await client.callTool({ name: 'search', arguments: { query: LEARNED } });
    expect(textOf(found)).toContain('session: 2026-11-01, with codex');
  } finally {
    await client.close();
  }
});

/** Runs the hook of an event as Claude Code does, and returns what it adds to the context. */
async function hook(event: string, input: object): Promise<string> {
  const { hooks } = JSON.parse(readFileSync(project.at('.claude/settings.local.json'), 'utf8'));
  const { command } = hooks[event][0].hooks[0];
  const child = spawn(command, { shell: true, cwd: project.path, env: environment });
  child.stdin.end(JSON.stringify({ ...input, hook_event_name: event }));
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(code).toBe(0);
  return out;
}

/** The server that Codex starts, as its settings name it. */
function codexServer() {
  const settings = readFileSync(project.at('.codex/config.toml'), 'utf8');
  const entry = (name: string) =>
    JSON.parse(new RegExp(`^${name} = (.+)$`, 'm').exec(settings)?.[1] ?? '');
  return {
    command: entry('command'),
    args: entry('args'),
    cwd: project.path,
    env: environment,
  };
}
