import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listeners, processesOf } from '../support/processes.js';
import {
  asShipped,
  type Environment,
  eventually,
  type RunningService,
  ServiceProcess,
  startService,
} from '../support/running-service.js';
import { API } from '../support/running-service-calls.js';
import { testProjects } from '../support/test-projects.js';

asShipped();

const projects = testProjects();
const started: RunningService[] = [];
afterEach(() => Promise.all(started.splice(0).map((service) => service.stop())));

async function start(environment: Environment = {}): Promise<RunningService> {
  const service = await startService(environment);
  started.push(service);
  return service;
}

function misbehaving(how: 'loop' | 'eat' | 'exit'): Environment {
  const file = fileURLToPath(new URL('../support/misbehaving-worker.cjs', import.meta.url));
  return { NODE_OPTIONS: `--require=${file}`, MISBEHAVIOUR: how };
}

describe('workers', () => {
  let service: RunningService;
  beforeEach(async () => {
    service = await start();
  });

  test('have metrics that are added up', async () => {
    for (let request = 0; request < 20; request += 1) await health(service);
    const { text } = await service.get('/metrics');
    expect(text).toMatch(/http_request_seconds_count\{.*route="\/health".*\} 20$/m);
  });

  test('that end are replaced, and confirmed writes are kept', async () => {
    const project = projects.make({ 'a.md': 'ibex' });
    const fields = { projectPath: project.path, title: 'Tapir', content: 'The tapir waits.' };
    expect((await service.post(`${API}/x/notes`, fields)).status).toBe(201);
    const killed = kill(service, 'SIGKILL', 1);
    await eventually(() => isReplaced(service, killed));
    const query = { projectPath: project.path, query: 'tapir' };
    await eventually(async () => {
      const { status, body } = await service.post(`${API}/search`, query);
      return status === 200 && body.results.length === 1;
    });
  });

  test('leave the watch of their projects to the others that have them in use', async () => {
    const project = projects.make({ 'a.md': 'ibex' });
    const path = encodeURIComponent(project.path);
    await service.post(`${API}/rebuild`, { projectPath: project.path });
    for (let request = 0; request < 20; request += 1)
      await statusOf(service, `${API}/stats?projectPath=${path}`);
    const killed = kill(service, 'SIGKILL', 1);
    await eventually(() => isReplaced(service, killed));
    project.write('b.md', 'tapir');
    const query = { projectPath: project.path, query: 'tapir' };
    await eventually(
      async () => (await service.post(`${API}/search`, query)).body.results.length === 1,
    );
  });

  test('keep the port that the system chose, even if all end at once', async () => {
    const killed = kill(service, 'SIGKILL', 2);
    await eventually(() => isReplaced(service, killed));
    expect(await eventually(() => health(service))).toBe(200);
    const later = kill(service, 'SIGKILL', 1);
    await eventually(() => isReplaced(service, later));
    expect(await eventually(() => listeners(service).length === 2)).toBe(true);
  });

  test('do not outlive the process that supervises them', async () => {
    const workers = workersOf(service);
    await service.process.kill();
    await eventually(() => !workers.some(isRunning));
  });
});

test('a worker that ends while it starts ends the service with one line', async () => {
  const service = new ServiceProcess({ PORT: '0', ...misbehaving('exit') });
  expect(await service.exited).toEqual({ code: 1, signal: null });
  expect(service.stderr()).toBe('knowledge-store: A worker exited during startup: exit code 3.\n');
});

describe('a worker that hangs', () => {
  test('costs other connections nothing, and is replaced', { timeout: 60_000 }, async () => {
    const service = await start();
    const stopped = kill(service, 'SIGSTOP', 1);
    const latencies: number[] = [];
    while (!(await isReplaced(service, stopped))) {
      const begin = performance.now();
      expect(await health(service)).toBe(200);
      latencies.push(performance.now() - begin);
    }
    expect(latencies.length).toBeGreaterThan(100);
    expect(latencies.toSorted((a, b) => b - a)[Math.floor(latencies.length / 100)]).toBeLessThan(
      250,
    );
  });

  test('does not hold up the end of the service', async () => {
    const service = await start(misbehaving('loop'));
    kill(service, 'SIGUSR2', 1);
    const signalled = performance.now();
    service.process.signal('SIGTERM');
    expect(await service.process.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - signalled).toBeLessThan(10_000);
  });
});

test('a worker that grows beyond its limit is replaced', async () => {
  const service = await start({ KNOWLEDGE_WORKER_MB: '300', ...misbehaving('eat') });
  const grown = kill(service, 'SIGUSR2', 1);
  await eventually(() => isReplaced(service, grown));
  expect(await health(service)).toBe(200);
  expect(service.stderr()).toContain('too much memory');
});

function health(service: RunningService): Promise<number> {
  return statusOf(service, '/health');
}

/** On a connection of its own. */
function statusOf({ url }: RunningService, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url + path, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject);
  });
}

function workersOf({ process: { pid } }: RunningService): readonly number[] {
  return processesOf(pid).slice(1);
}

/** Signals some of the workers, and returns which. */
function kill(service: RunningService, signal: NodeJS.Signals, count: number): readonly number[] {
  const signalled = workersOf(service).slice(0, count);
  for (const pid of signalled) process.kill(pid, signal);
  return signalled;
}

async function isReplaced(service: RunningService, gone: readonly number[]): Promise<boolean> {
  const workers = workersOf(service);
  return workers.length === 2 && !workers.some((pid) => gone.includes(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
