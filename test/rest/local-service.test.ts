import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tinyModelEnvironment } from '../../bench/faults/tiny-model-environment.js';
import { HANDSHAKE_PATH, send } from '../../src/process/local/exchange.js';
import { filesLoadedBy } from '../support/loaded-files.js';
import { clientOfProcess, textOf } from '../support/mcp-client.js';
import { processesOf, succeeds } from '../support/processes.js';
import {
  CHECKOUT,
  CLI,
  commandEnvironment,
  eventually,
  runCommand,
  runProgram,
} from '../support/running-service.js';
import { TempProject, tempDirectory } from '../support/temp-project.js';

const mayUnshare = succeeds('unshare', '--net', 'true');
let project: TempProject;
let environment: Readonly<Record<string, string>>;

beforeEach(async () => {
  project = new TempProject({
    '.git/HEAD': '',
    'docs/a.md': '## Locks\n\nWriters wait for the ibex.\n',
  });
  const home = tempDirectory('knowledge-home-');
  environment = {
    ...commandEnvironment(),
    HOME: home,
    ...(await tinyModelEnvironment()),
    KNOWLEDGE_OFFLINE: '1',
    KNOWLEDGE_SERVICE: 'on',
    KNOWLEDGE_SERVICE_IDLE_S: '60',
  };
});
afterEach(async () => {
  await run('stop');
  expect(pids()).toEqual([]);
  project.remove();
  rmSync(environment['HOME'] ?? '', { recursive: true, force: true });
  rmSync(environment['DATA_DIR'] ?? '', { recursive: true, force: true });
});

describe('the local service', () => {
  test('is started by the first command and used by the next ones, over a socket of this user alone', async () => {
    const { code, out } = await run('ingest');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('1 source indexed.') });
    const [pid] = pids();
    expect(pid).toBeDefined();
    expect((await run('search', 'ibex')).out).toContain('Writers wait for the ibex.');
    expect(pids()).toEqual([pid]);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(listeningPorts(pid)).toEqual([]);
    expect((await run('status')).out).toContain(`process ${pid}`);
  });

  test('computes vectors in the background after the command has ended', async () => {
    expect((await run('ingest')).err).toContain('Search by meaning follows');
    await eventually(async () => {
      const { embeddings } = JSON.parse((await run('status', '--json')).out);
      return embeddings.pending === 0 && embeddings.complete === 1;
    });
  });

  test('computes the vectors that a command waits for', async () => {
    expect((await run('ingest', '--wait')).code).toBe(0);
    const { embeddings } = JSON.parse((await run('status', '--json')).out);
    expect(embeddings).toEqual({ complete: 1, pending: 0 });
  });

  test('saves notes that are written at once', async () => {
    const notes = await Promise.all(
      ['one', 'two', 'three', 'four'].map((title) => run('note', 'add', title, `About ${title}.`)),
    );
    expect(notes.map(({ code, err }) => ({ code, err }))).toEqual(
      notes.map(() => ({ code: 0, err: expect.not.stringContaining('knowledge-store:') })),
    );
    const sources: readonly { readonly sourceFile: string }[] = JSON.parse(
      (await run('sources', '--json')).out,
    ).sources;
    expect(sources.filter(({ sourceFile }) => sourceFile.includes('/notes/'))).toHaveLength(4);
    expect(pids()).toHaveLength(1);
  });

  test.each([
    '--help',
    'status',
    'init',
    'connect claude --print',
    'stop',
    'search ibex --no-model',
  ])('is not started by "%s"', async (words) => {
    expect((await run(...words.split(' '))).code).toBe(0);
    expect(pids()).toEqual([]);
  });

  test('is one for each configuration; stop ends them all', async () => {
    await run('ingest');
    await runCommand(['ingest'], project.path, { ...environment, KNOWLEDGE_LOG_LEVEL: 'error' });
    expect(pids()).toHaveLength(2);
    const { code, out } = await run('stop');
    expect({ code, out }).toEqual({ code: 0, out: '2 services stopped.\n' });
    expect(readdirSync(folder())).toEqual([]);
    expect((await run('stop')).out).toBe('No local service is running.\n');
  });

  test('spares a search most of the code', async () => {
    await run('ingest', '--wait');
    const files = await filesLoadedBy(['search', 'ibex'], project.path, environment);
    const bytes = files.map((file) => statSync(file).size).reduce((sum, size) => sum + size, 0);
    expect(files.length).toBeLessThan(20);
    expect(bytes).toBeLessThan(240_000);
  });

  test('is not asked by a command with a wrong variable', async () => {
    await run('ingest');
    const wrong = { ...environment, KNOWLEDGE_ROOTS: '' };
    const { code, err } = await runCommand(['search', 'ibex'], project.path, wrong);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('KNOWLEDGE_ROOTS') });
    expect(pids()).toHaveLength(1);
  });

  test('stops when it has been idle for a while', async () => {
    environment = { ...environment, KNOWLEDGE_SERVICE_IDLE_S: '1' };
    await run('ingest', '--wait');
    await eventually(() => pids().length === 0);
    expect(readdirSync(folder())).toEqual([]);
  });

  test('is not used if it is turned off, and vectors then need --wait', async () => {
    environment = { ...environment, KNOWLEDGE_SERVICE: 'off' };
    const { code, err } = await run('ingest');
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('--wait') });
    expect(existsSync(folder())).toBe(false);
    expect((await run('search', 'ibex')).out).toContain('Writers wait for the ibex.');
  });
});

describe('a local service that was killed', () => {
  test('by its worker is whole again for the next command', async () => {
    await run('ingest');
    const [pid = 0] = pids();
    const [, worker = 0] = processesOf(pid);
    process.kill(worker, 'SIGKILL');
    expect((await run('search', 'ibex')).out).toContain('Writers wait for the ibex.');
    expect(pids()).toEqual([pid]);
  });

  test('by its supervisor is replaced by the next command', async () => {
    await run('ingest');
    const [pid = 0] = pids();
    process.kill(pid, 'SIGKILL');
    expect((await run('search', 'ibex')).out).toContain('Writers wait for the ibex.');
    expect(pids()).toHaveLength(1);
    expect(pids()).not.toContain(pid);
  });
});

test('a connection that a killed worker has not taken is served by the next one', async () => {
  const socket = await runningSocket();
  const [pid = 0] = pids();
  const [, worker = 0] = processesOf(pid);
  process.kill(worker, 'SIGSTOP');
  const answers = Array.from({ length: 5 }, () => handshakeFrom(socket));
  await eventually(() => connectionsTo(socket) >= 5);
  process.kill(worker, 'SIGKILL');
  expect(await Promise.all(answers)).toEqual(answers.map(() => pid));
});

test('of services that start at the same moment one stays, which "stop" finds', async () => {
  const [supervisor = 0] = (await run('ingest')).code === 0 ? pids() : [];
  // Its socket stays.
  process.kill(supervisor, 'SIGKILL');
  const file = join(CHECKOUT, 'dist/bundle/local-service.js');
  const services = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [file], { env: environment, stdio: 'ignore' }),
  );
  await eventually(() => services.filter(({ exitCode }) => exitCode === null).length === 1);
  const [last] = services.filter(({ exitCode }) => exitCode === null);
  await eventually(() => pids().length === 1);
  expect(pids()).toEqual([last?.pid]);
});

test.runIf(mayUnshare)(
  'a service that was started in a sandbox is not used outside it',
  async () => {
    const inside = ['unshare', '--net', process.execPath, CLI, 'ingest'];
    expect((await runProgram(inside, project.path, environment)).code).toBe(0);
    const [sandboxed] = pids();
    expect((await run('sources')).out).toContain('docs/a.md');
    expect(pids()).toHaveLength(2);
    expect(pids()).toContain(sandboxed);
  },
);

describe('other files in place of the socket', () => {
  test.each<[what: string, greeting: string | undefined]>([
    ['says nothing sensible', 'hello\r\n'],
    ['answers as another service', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['hangs up', undefined],
  ])('and %s is replaced', async (_, greeting) => {
    const socket = await placeOfSocket();
    const stranger = createServer((connection) => {
      connection.on('error', () => undefined).resume();
      if (greeting === undefined) connection.destroy();
      else connection.end(greeting);
    });
    await new Promise<void>((resolve) => stranger.listen(socket, resolve));
    expect((await run('sources')).out).toContain('docs/a.md');
    expect(pids()).toHaveLength(1);
    await new Promise((resolve) => stranger.close(resolve));
  });

  test('and is no socket is replaced', async () => {
    writeFileSync(await placeOfSocket(), 'text');
    expect((await run('sources')).out).toContain('docs/a.md');
    expect(pids()).toHaveLength(1);
  });

  test('and answers nothing leaves the work to the command', async () => {
    const socket = await placeOfSocket();
    const silent = createServer(
      (connection) => void connection.on('error', () => undefined).resume(),
    );
    await new Promise<void>((resolve) => silent.listen(socket, resolve));
    expect((await run('sources')).out).toContain('docs/a.md');
    expect(pids()).toEqual([]);
    await new Promise((resolve) => silent.close(resolve));
  });

  test('in a folder that others can enter: they no longer can', async () => {
    await placeOfSocket();
    chmodSync(folder(), 0o777);
    await run('ingest');
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
  });

  test('has a path that is too long for a socket: another folder is used', async () => {
    const long = join(environment['DATA_DIR'] ?? '', 'd'.repeat(120));
    environment = { ...environment, DATA_DIR: long, XDG_RUNTIME_DIR: tempDirectory() };
    await run('ingest', '--no-vectors');
    expect((await run('sources')).out).toContain('docs/a.md');
    expect(readdirSync(environment['XDG_RUNTIME_DIR'] ?? '')).toHaveLength(1);
    expect((await run('stop')).out).toBe('1 service stopped.\n');
  });

  test('cannot be made: commands work by themselves', async () => {
    mkdirSync(environment['DATA_DIR'] ?? '', { recursive: true });
    writeFileSync(folder(), 'no folder');
    const { code, out } = await run('ingest');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('1 source indexed.') });
    rmSync(folder());
  });
});

describe('mcp', () => {
  test('passes messages to the local service, and continues with the next one after a kill', async () => {
    await run('ingest', '--wait');
    const { client } = await clientOfProcess({
      command: process.execPath,
      args: [CLI, 'mcp'],
      cwd: project.path,
      env: environment,
    });
    const search = async () =>
      textOf(await client.callTool({ name: 'search', arguments: { query: 'ibex' } }));
    expect(await search()).toContain('Writers wait for the ibex.');
    const [pid = 0] = pids();
    process.kill(pid, 'SIGKILL');
    // The worker may answer once more before it notices that it is alone.
    await eventually(async () => {
      expect(await search()).toContain('Writers wait for the ibex.');
      return !pids().includes(pid) && pids().length === 1;
    });
    await client.close();
  });
});

// Helpers

function run(...words: readonly string[]) {
  return runCommand(words, project.path, environment);
}

const folder = () => join(environment['DATA_DIR'] ?? '', 'service');

/** The supervisors that live. */
function pids(): readonly number[] {
  const names =
    existsSync(folder()) && statSync(folder()).isDirectory() ? readdirSync(folder()) : [];
  const files = names.filter((name) => name.endsWith('.pid'));
  return files.map((name) => Number(readFileSync(join(folder(), name), 'utf8'))).filter(isAlive);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Where the service of this environment listens; nothing is there. */
async function placeOfSocket(): Promise<string> {
  const socket = await runningSocket();
  await run('stop');
  return socket;
}

async function runningSocket(): Promise<string> {
  await run('ingest');
  const [name = ''] = readdirSync(folder()).filter((one) => one.endsWith('.sock'));
  return join(folder(), name);
}

/** The process id that a service names in its handshake. */
async function handshakeFrom(socket: string): Promise<unknown> {
  const response = await send({ socket, path: HANDSHAKE_PATH });
  return JSON.parse(await text(response)).pid;
}

/** On Linux: those that are accepted. */
function connectionsTo(socket: string): number {
  const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
  const accepted = lines.filter((line) => line.includes(socket) && / 0001 03 /.test(line));
  return accepted.length;
}

/** The TCP ports on which a process and its children listen, on Linux. */
function listeningPorts(pid = 0): readonly string[] {
  const inodes = new Set(processesOf(pid).flatMap(socketsOf));
  return ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/net/${file}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode = '']) => state === '0A' && inodes.has(inode))
      .map(([, address = '']) => address),
  );
}

function socketsOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
}
