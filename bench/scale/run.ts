import { mkdirSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ServiceProcess } from '../../test/support/running-service.js';
import { tempDirectory } from '../../test/support/temp-project.js';
import { tinyModelEnvironment } from '../faults/tiny-model-environment.js';
import { writeFiles } from '../http/searches.js';
import { LoadClient, whilePolled } from '../load/load-client.js';
import { median, percentile } from '../quality/statistics.js';
import { markdownTable } from '../speed/measuring.js';
import { textsOf } from '../speed/search/large-project.js';
import { type FrequentWords, frequentWords } from '../speed/search/query-classes.js';
import { cpuMs, Delays, memoryMb } from './process-tree.js';
import { postgresStore, sqliteStore } from './stores.js';

/** Runs the whole service on a project with very many chunks and vectors; see bench/README.md. */
const { values } = parseArgs({
  options: {
    archive: { type: 'string' },
    chunks: { type: 'string', default: '100000' },
    store: { type: 'string', default: 'sqlite' },
    queries: { type: 'string', default: '20' },
    folder: { type: 'string' },
    indexed: { type: 'string' },
  },
});
if (values.archive === undefined) throw new Error('--archive <archive of markdown files, .tar.gz>');
const [chunks, queries] = [Number(values.chunks), Number(values.queries)];

const folder = values.folder ?? tempDirectory('bench-scale-');
const project = join(folder, 'project');
const delaysFolder = join(folder, 'delays');
mkdirSync(project, { recursive: true });
mkdirSync(delaysFolder, { recursive: true });
const store = await (values.store === 'postgres' ? postgresStore() : sqliteStore(project));
const environment = {
  ...(await tinyModelEnvironment()),
  ...store.environment,
  PORT: '0',
  KNOWLEDGE_OFFLINE: '1',
  KNOWLEDGE_LOG_LEVEL: 'warn',
  BENCH_DELAYS: delaysFolder,
  NODE_OPTIONS: `--require ${fileURLToPath(new URL('./delays.cjs', import.meta.url))}`,
};
const delays = new Delays(delaysFolder);
const poller = new LoadClient();
const rows: string[][] = [];
let service!: ServiceProcess;
let url = '';

const texts = await textsOf(values.archive, folder);
if (!values.indexed) writeFiles(project, texts, chunks);
const words = frequentWords(
  texts.map(({ content }) => content),
  1,
);
print(`${store.name}, ${chunks} chunks, made of ${texts.length} texts`);
try {
  if (!values.indexed) {
    await start('search-only');
    await measured('first indexing', () => post('/rebuild'));
    await service.stop();
  }
  if (values.indexed !== 'planted') await store.plant();
  print(`on disk with vectors: ${(await store.diskMb()).toFixed(0)} MB`);
  await measured('opening, with the first search', async () => {
    await start('hybrid');
    await post('/search', { query: words.pick(0, 0.001) });
  });
  await service.stop();
  await measured('opening again', async () => {
    await start('hybrid');
    await post('/search', { query: words.pick(0, 0.001) });
  });
  for (const [name, make] of Object.entries(CLASSES())) {
    for (const route of ['/search', '/x/search'])
      await searches(
        `${name}, ${route}`,
        route,
        Array.from({ length: queries }, () => make(words)),
      );
  }
  await measured('rebuild', () => post('/rebuild'));
  print(JSON.stringify(await call('GET', `/x/status?projectPath=${encodeURIComponent(project)}`)));
} finally {
  poller.stop();
  await service?.stop();
  print(service?.stderr().slice(-4000) ?? '');
  await store.remove();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
print(
  markdownTable(
    [
      '',
      'wall p50 / p95',
      'CPU p50 / p95',
      'RSS MB (peak)',
      '/health p99 / max, ms',
      'event loop, ms',
    ],
    rows,
  ),
);

function CLASSES(): Readonly<Record<string, (words: FrequentWords) => string>> {
  return {
    'rare word': ({ pick }) => pick(0, 0.001),
    'common words': ({ pick }) => `${pick(0.05, 0.3)} ${pick(0.05, 0.3)}`,
    'long question': ({ passage }) => passage(16).join(' '),
    phrase: ({ passage }) => `"${passage(2).join(' ')}"`,
  };
}

async function start(variant: string): Promise<void> {
  service = new ServiceProcess({ ...environment, KNOWLEDGE_VARIANT: variant });
  url = await service.ready();
}

/** CPU time of the service and its store so far. */
function used(): number {
  return (service === undefined ? 0 : cpuMs(service.pid)) + store.cpuMs();
}

async function measured(name: string, work: () => Promise<unknown>): Promise<void> {
  const isStart = name.startsWith('opening');
  delays.largest();
  const [begin, before] = [performance.now(), isStart ? store.cpuMs() : used()];
  const health = isStart ? undefined : (await whilePolled(poller, { url }, work)).health;
  if (isStart) await work();
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  row(name, seconds(performance.now() - begin), seconds(used() - before), health);
}

async function searches(name: string, route: string, asked: readonly string[]): Promise<void> {
  for (const query of asked.slice(0, 2)) await post(route, { query }).catch(() => undefined);
  delays.largest();
  const [wall, cpu]: [number[], number[]] = [[], []];
  let failed = 0;
  for (const query of asked) {
    const [begin, before] = [performance.now(), used()];
    await post(route, { query }).catch(() => {
      failed += 1;
    });
    wall.push(performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, 60)); // Retrievals are counted in this time.
    cpu.push(used() - before);
  }
  const { health } = await whilePolled(poller, { url }, async () => {
    for (const query of asked) await post(route, { query }).catch(() => undefined);
  });
  const pair = (times: readonly number[]) =>
    `${median(times).toFixed(0)} / ${percentile(times, 0.95).toFixed(0)} ms`;
  row(failed > 0 ? `${name} (${failed} failed)` : name, pair(wall), pair(cpu), health);
}

function row(
  name: string,
  wall: string,
  cpu: string,
  health?: { latencies: readonly number[] },
): void {
  const [own, others] = [memoryMb(service.pid), store.memoryMb()];
  const cells = [
    name,
    wall,
    cpu,
    `${(own.now + others.now).toFixed(0)} (${(own.peak + others.peak).toFixed(0)})`,
    health === undefined
      ? ''
      : `${percentile(health.latencies, 0.99).toFixed(0)} / ${percentile(health.latencies, 1).toFixed(0)}`,
    delays.largest().toFixed(0),
  ];
  rows.push(cells);
  print(cells.join(' | '));
}

function post(route: string, fields: object = {}): Promise<unknown> {
  return call('POST', route, { projectPath: project, ...fields });
}

/** Sends a request without a time limit, which fetch would have. */
function call(method: string, route: string, body?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${url}/api/knowledge${route}`,
      { method, agent: new Agent(), headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.on('data', (part) => (text += part));
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(JSON.parse(text))
            : reject(new Error(`${route}: ${response.statusCode} ${text}`)),
        );
      },
    );
    asked.on('error', reject);
    asked.end(body && JSON.stringify(body));
  });
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
