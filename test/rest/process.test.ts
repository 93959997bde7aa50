import { existsSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import {
  asShipped,
  type Environment,
  eventually,
  type RunningService,
  ServiceProcess,
  startService,
} from '../support/running-service.js';
import { API, error, errorOf } from '../support/running-service-calls.js';
import { testProjects } from '../support/test-projects.js';

asShipped();

/** Without workers, of which some tests see nothing. */
const ALONE = { PORT: '0', KNOWLEDGE_WORKERS: '0' };

const projects = testProjects();
const started: ServiceProcess[] = [];
afterEach(() => Promise.all(started.splice(0).map((process) => process.stop())));

function start(environment: Environment, launcher: 'node' | 'npm' = 'node'): ServiceProcess {
  const process = new ServiceProcess(environment, launcher);
  started.push(process);
  return process;
}

describe('npm start', () => {
  test('with no variable at all listens on 127.0.0.1:3737 as hybrid', async () => {
    if (!(await isFree(3737))) {
      console.warn('Port 3737 is taken on this machine: the default port is not tested.');
      return;
    }
    const service = start({ KNOWLEDGE_OFFLINE: '1' }, 'npm');
    expect(await service.ready()).toBe('http://127.0.0.1:3737');
    expect(linesOf(service)).toContain('listening on http://127.0.0.1:3737 (hybrid)');
    expect((await fetch('http://127.0.0.1:3737/health')).status).toBe(200);
    await expect(connected('::1', 3737)).resolves.toBe(false);
  });

  test('says that it is ready in one line, runs several at once with PORT=0, each at its port', async () => {
    const services = [
      start({ ...ALONE, KNOWLEDGE_OFFLINE: '1' }, 'npm'),
      start({ ...ALONE, KNOWLEDGE_VARIANT: 'search-only' }, 'npm'),
    ];
    const urls = await Promise.all(services.map((service) => service.ready()));
    expect(new Set(urls).size).toBe(2);
    for (const url of urls) expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(linesOf(services[0])).toContain(`listening on ${urls[0]} (hybrid)`);
    expect(linesOf(services[1])).toContain(`listening on ${urls[1]} (search-only)`);
    for (const service of services) {
      expect(linesOf(service).filter((line) => line.startsWith('listening'))).toHaveLength(1);
    }
  });

  test.each([
    ['SIGTERM', 'npm alone'],
    ['SIGINT', 'its whole group'],
  ] as const)('%s to %s, twice within a second, ends it in good order', async (signal, target) => {
    const service = start({ PORT: '0', KNOWLEDGE_OFFLINE: '1' }, 'npm');
    const url = await service.ready();
    for (let times = 0; times < 2; times += 1) {
      if (target === 'npm alone') service.signal(signal);
      else service.signalGroup(signal);
    }
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(await connected('127.0.0.1', portOf(url))).toBe(false);
    expect(service.stderr()).not.toMatch(/"level":[56]0|Error:/);
  });

  test('does not outlive an npm that is killed', async () => {
    const service = start({ PORT: '0', KNOWLEDGE_OFFLINE: '1' }, 'npm');
    const url = await service.ready();
    service.signal('SIGKILL');
    await eventually(async () => !(await connected('127.0.0.1', portOf(url))));
    await service.exited;
  });
});

describe('a bad variable stops the start with one line that names it', () => {
  test.concurrent.each([
    ['PORT', '65536'],
    ['KNOWLEDGE_STORE', 'postgres://127.0.0.1:1/knowledge'],
  ])('%s=%s', async (name, value) => {
    const service = new ServiceProcess({ PORT: '0', [name]: value });
    const gone = setTimeout(() => service.signal('SIGKILL'), 20_000);
    const { code } = await service.exited;
    clearTimeout(gone);
    expect(code).toBeGreaterThan(0);
    const lines = service.stderr().trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(name);
    expect(service.stdout()).toBe('');
  });

  test('also a port that is taken', async () => {
    const taken = createServer();
    const service = start({ PORT: String(await listeningPort(taken)) });
    expect((await service.exited).code).toBeGreaterThan(0);
    expect(service.stderr().trim().split('\n')).toHaveLength(1);
    expect(service.stderr()).toContain('PORT');
    taken.close();
  });
});

describe('the end', () => {
  test.each([
    ['SIGTERM', 'hybrid'],
    ['SIGINT', 'search-only'],
  ] as const)(
    '%s: requests in flight are answered, the databases closed, exit 0 (%s)',
    async (signal, variant) => {
      const project = projects.make();
      for (let i = 0; i < 150; i += 1)
        project.write(`n/${i}.md`, `the ibex number ${i}\n\nanother`);
      const service = await startService({ KNOWLEDGE_VARIANT: variant });
      const process = service.process;
      started.push(process);
      // Blocked by a lock of another process, so that it is in flight for certain.
      await service.post(`${API}/search`, { projectPath: project.path, query: 'x' });
      const answer = await withLock(project.database, async (release) => {
        const rebuilding = service.post(`${API}/rebuild`, { projectPath: project.path });
        await inProgress(service);
        process.signal(signal);
        process.signal(signal);
        await eventually(async () => !(await connected('127.0.0.1', portOf(service.url))));
        release();
        return rebuilding;
      });
      expect(answer.status).toBe(200);
      expect((answer.body.stats ?? answer.body).totalChunks).toBe(300);
      expect(await process.exited).toEqual({ code: 0, signal: null });
      expect(existsSync(`${project.database}-wal`)).toBe(false);
    },
  );

  test('is not delayed by work that waits for a lock of another program: background work, and a request, which gets 503', async () => {
    const project = projects.make({ 'a.md': 'ibex' });
    const searchOnly = await startService({ KNOWLEDGE_VARIANT: 'search-only' });
    await searchOnly.post(`${API}/rebuild`, { projectPath: project.path });
    await searchOnly.stop();
    const service = await startService();
    started.push(service.process);
    await withLock(project.database, async () => {
      // The first use of a project begins its background work, which writes a lease.
      expect((await service.get(`${API}/stats?projectPath=${project.path}`)).status).toBe(200);
      const rebuilding = service.post(`${API}/rebuild`, { projectPath: project.path });
      await inProgress(service);
      const signalled = performance.now();
      service.process.signal('SIGTERM');
      expect(errorOf(await rebuilding)).toEqual(error(503, 'store_unavailable'));
      expect(await service.process.exited).toEqual({ code: 0, signal: null });
      expect(performance.now() - signalled).toBeLessThan(10_000);
    });
  });
});

test('hosts, keys and models in settings.json of a project are not read', async () => {
  const calls: string[] = [];
  const trap = createServer((socket) => {
    calls.push('call');
    socket.destroy();
  });
  const host = `http://127.0.0.1:${await listeningPort(trap)}`;
  const named = { baseURL: host, OPENAI_BASE_URL: host, KNOWLEDGE_MODEL_HOST: host };
  const settings = JSON.stringify({ knowledgeStore: named, openai: named, ...named });
  const project = projects.make({ 'a.md': 'ibex', '.knowledge/settings.json': settings });
  const service = await startService(ALONE);
  started.push(service.process);
  await service.post(`${API}/rebuild`, { projectPath: project.path });
  await service.post(`${API}/search`, { projectPath: project.path, query: 'ibex' });
  await service.stop();
  expect(calls).toEqual([]);
  trap.close();
});

test('a token lets it listen on every address', async () => {
  const service = start({
    ...ALONE,
    HOST: '0.0.0.0',
    KNOWLEDGE_TOKEN: 't',
    KNOWLEDGE_OFFLINE: '1',
  });
  const port = new URL(await service.ready()).port;
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  const ready = await fetch(`http://127.0.0.1:${port}/ready`);
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(401);
});

/** Waits until a worker has begun with a request. */
async function inProgress(service: RunningService): Promise<void> {
  await eventually(async () =>
    (await service.get('/metrics')).text.includes('knowledge_requests_in_progress 1'),
  );
}

function linesOf(service: ServiceProcess | undefined): readonly string[] {
  return service?.stdout().split('\n') ?? [];
}

/**
 * Holds the write lock of a database, as another program does, until the work releases it. Closes with
 * the lock: two that close at the same time both leave the log to the other.
 */
async function withLock<T>(
  database: string,
  work: (release: () => void) => Promise<T>,
): Promise<T> {
  const db = openDatabase(database);
  try {
    db.exec('BEGIN IMMEDIATE');
    return await work(() => db.close());
  } finally {
    db.close();
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

async function listeningPort(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  const address = await eventually(() => server.address());
  return typeof address === 'object' ? address.port : 0;
}

function connected(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function isFree(port: number): Promise<boolean> {
  return !(await connected('127.0.0.1', port));
}
