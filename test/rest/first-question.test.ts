import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOfProcess, textOf } from '../support/mcp-client.js';
import {
  CLI,
  commandEnvironment,
  directoryOfRealModel,
  eventually,
  runCommand,
} from '../support/running-service.js';
import { TempProject } from '../support/temp-project.js';

const DATA_DIR = directoryOfRealModel();
const ENV = { ...commandEnvironment(), DATA_DIR: DATA_DIR ?? '', KNOWLEDGE_OFFLINE: '1' };
const QUESTION = 'when do we publish';

let project: TempProject;

/** What a newcomer asks, with the real model and no settings. */
describe.skipIf(DATA_DIR === undefined)('a question that shares no word with the text', () => {
  beforeAll(async () => {
    project = new TempProject({
      '.git/HEAD': '',
      'docs/database.md': '## Locks\nWriters wait for the write lock, up to 15 seconds.\n',
      'docs/release.md': '## Release\nVersions ship on Tuesdays after the nightly build.\n',
    });
    await command('ingest', '--wait');
  }, 120_000);
  afterAll(() => project.remove());

  test('is answered in a terminal', async () => {
    // A busy machine may take longer to load the model than a command waits for it.
    await eventually(async () => {
      return /^1\. docs\/release\.md:1/m.test((await command('search', QUESTION)).out);
    }, SOON);
  }, 120_000);

  test('is answered over MCP, whose server loads the model by itself', async () => {
    const server = { command: process.execPath, args: [CLI, 'mcp'], cwd: project.path, env: ENV };
    const { client } = await clientOfProcess(server);
    const call = async (name: string, args: Record<string, unknown>) =>
      textOf(await client.callTool({ name, arguments: args }));
    await eventually(async () => (await call('status', {})).includes(': ready.'), SOON);
    expect(await call('search', { query: QUESTION, max_results: 1 })).toContain('docs/release.md');
    await client.close();
  }, 120_000);
});

/** A busy machine takes long to load the real model. */
const SOON = { withinMs: 110_000 };

function command(...words: readonly string[]) {
  return runCommand(words, project.path, ENV);
}
