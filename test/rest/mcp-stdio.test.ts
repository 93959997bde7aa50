import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOfProcess, ERAS, type Era, textOf } from '../support/mcp-client.js';
import { CLI, commandEnvironment, eventually } from '../support/running-service.js';
import { TempProject, tempDirectory } from '../support/temp-project.js';

let project: TempProject;

beforeAll(() => {
  project = new TempProject();
  project.writeReflection('f-1', '## Retry logic\nUse exponential backoff for webhooks.\n');
});
afterAll(() => project.remove());

describe.each(ERAS)('the MCP server on stdio, for a client of the era "%s",', (era) => {
  it('indexes and searches the project of its working directory, until the client leaves', async () => {
    const { client, transport } = await connected(era);
    const { pid } = transport;
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args });
    expect(textOf(await call('ingest', {}))).toBe('The index holds 1 file.');
    const found = await call('search', { query: 'webhook backoff' });
    expect(textOf(found)).toContain('id: .knowledge/features/f-1/reflection.md#0');
    expect(textOf(await call('lessons', { title: 'Send webhooks' }))).toContain('Retry logic');
    expect(textOf(await call('status', {}))).toContain(
      `Project: ${project.path}\n1 chunk of 1 file`,
    );
    const id = '.knowledge/features/f-1/reflection.md#0';
    expect(textOf(await call('get', { id }))).toContain('Use exponential backoff');
    expect(textOf(await call('get', { id: `${id.slice(0, -2)}:1-1` }))).toContain('lines: 1 to 1');
    expect(textOf(await call('similar', { text: 'exponential backoff' }))).toContain(id);
    const note = { title: 'Locks', content: 'Writers wait.', id: 'locks' };
    expect(textOf(await call('save_note', note))).toContain('Saved as');
    expect(textOf(await call('save_note', { ...note, content: 'New.', replace: true }))).toContain(
      'Saved as',
    );
    expect(textOf(await call('lessons', { title: 'New locks' }))).toContain('notes/locks.md');
    expect(textOf(await call('delete_note', { id: 'locks' }))).toContain('was deleted');
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain(
      'complete_feature',
    );
    await client.close();
    expect(() => process.kill(pid ?? 0, 0)).toThrow();
  });
});

describe('the MCP server on stdio', () => {
  it('indexes a project at its first search, and what changes from then on', async () => {
    const fresh = new TempProject({ 'docs/a.md': '## A\nthe ibex climbs\n' });
    const { client } = await connected('auto', fresh);
    const search = async (query: string) =>
      textOf(await client.callTool({ name: 'search', arguments: { query } }));
    await eventually(async () => (await search('ibex')).includes('id: docs/a.md#0'), SOON);
    fresh.write('docs/b.md', '## B\nthe okapi hides\n');
    await eventually(async () => (await search('okapi')).includes('id: docs/b.md#0'), SOON);
    await client.close();
    fresh.remove();
  });

  it('answers all requests from before the end of its input, and prints nothing else', async () => {
    const answers = await answersTo([INITIALIZE, CALL_STATUS]);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
  });

  it('continues after a line that is not JSON', async () => {
    const answers = await answersTo([INITIALIZE, 'this is no message', { ...LIST, id: 3 }]);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 3]);
  });

  it('reads null as absent, and refuses invalid requests by their id', async () => {
    const answers = await answersTo([
      INITIALIZE,
      { ...LIST, id: 2, params: null },
      { ...LIST, id: 3, params: { _meta: null } },
      { ...CALL_STATUS, id: 4, params: { name: 'status', arguments: null } },
      { ...LIST, id: 5, params: 7 },
      [{ ...LIST, id: 6 }],
    ]);
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    expect([...byId.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const id of [2, 3, 4]) expect(byId.get(id)).toHaveProperty('result');
    for (const id of [5, 6]) expect(byId.get(id)).toMatchObject({ error: { code: -32600 } });
  });

  it('ends with its parent, even if the streams stay open', async () => {
    const parent = spawn(process.execPath, ['-e', PARENT, CLI], {
      cwd: project.path,
      env: ENVIRONMENT,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let answered = '';
    parent.stdout.on('data', (part: Buffer) => {
      answered += part;
    });
    parent.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await eventually(() => answered.includes('"tools"'), { withinMs: 60_000 });
    const pid = Number(/^\d+/.exec(answered)?.[0]);
    parent.kill('SIGKILL');
    await eventually(() => !isRunning(pid), { withinMs: 5_000 });
  }, 90_000);
});

// Helpers

/** Passes its own streams on to the server, whose process id it prints first. */
const PARENT = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, [process.argv[1], 'mcp'], { stdio: ['inherit', 'pipe', 'ignore'] });
  process.stdout.write(child.pid + '\\n');
  child.stdout.pipe(process.stdout);
`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const ENVIRONMENT = {
  ...commandEnvironment(),
  KNOWLEDGE_OFFLINE: '1',
  DATA_DIR: tempDirectory(),
};

/** What an answer may lag behind the files: 3 s, and more on a busy machine. */
const SOON = { withinMs: 30_000 };

function connected(era: Era, { path: cwd } = project) {
  const server = { command: process.execPath, args: [CLI, 'mcp'], cwd, env: ENVIRONMENT };
  return clientOfProcess(server, { era });
}

const CALL_STATUS = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'status', arguments: {} },
};

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'a pipe', version: '1' },
  },
};

const LIST = { jsonrpc: '2.0', method: 'tools/list' };

interface Answer {
  readonly id: number;
}

/** Everything that the server prints for messages that arrive at once, before the end of the input. */
async function answersTo(messages: readonly (object | string)[]): Promise<readonly Answer[]> {
  const child = spawn(process.execPath, [CLI, 'mcp'], {
    cwd: project.path,
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = messages.map((message) =>
    typeof message === 'string' ? message : JSON.stringify(message),
  );
  child.stdin.end(`${lines.join('\n')}\n`);
  let printed = '';
  for await (const part of child.stdout) printed += part;
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
