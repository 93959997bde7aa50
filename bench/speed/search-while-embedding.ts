import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { HttpServer } from '../../dist/adapters/http/server/http-server.js';
import { readConfig } from '../../dist/app/config/read-config.js';
import { createService } from '../../dist/app/wiring/container.js';
import { QuietMonitor } from '../../test/fakes/quiet-monitor.js';
import { plantVectors } from './planted-vectors.js';

/**
 * Searches over 10 connections, first while the service is idle, then while 2,000 chunks of another
 * project are embedded in the background. Reports latencies, their ratio, and the event loop delay.
 *
 *   npm run bench:speed -- <project directory> <data directory with the model> [seconds]
 */
const [source, dataDir, seconds = '15'] = process.argv.slice(2);
if (source === undefined || dataDir === undefined) {
  process.stderr.write('usage: npm run bench:speed -- <project> <data directory> [seconds]\n');
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const config = readConfig({
  DATA_DIR: dataDir,
  KNOWLEDGE_APP_DIR: '.automaker',
  KNOWLEDGE_OFFLINE: '1',
  KNOWLEDGE_LOG_LEVEL: 'warn',
});
const searched = await projectWithVectors(join(folder, 'searched'));
const embedded = join(folder, 'embedded');
await cp(source, embedded, { recursive: true });

const service = createService(config);
const server = new HttpServer({
  ...service,
  host: '127.0.0.1',
  port: 0,
  variant: 'bench',
  monitor: new QuietMonitor(),
});
const url = await server.listen();
await service.store.initialize(searched);
while (service.store.getModelStatus().state !== 'ready') await sleep(100);
const queries = await titles(source);
await measure('warm-up', 3);
const idle = [await measure('idle', Number(seconds)), await measure('idle', Number(seconds))];
await service.store.reindex(embedded);
await sleep(3000);
const busy = [
  await measure('embedding', Number(seconds)),
  await measure('embedding', Number(seconds)),
];
const status = await service.store.getEmbeddingStatus(embedded);
process.stdout.write(
  `background: ${status.complete} embedded meanwhile, ${status.pending} pending\n`,
);
process.stdout.write(`ratio of p50 ${ratio('p50')}, of p99 ${ratio('p99')}\n`);
await server.close();
await service.stop();
await rm(folder, { recursive: true, force: true });

function ratio(figure: 'p50' | 'p99'): string {
  const best = (runs: readonly Figures[]) => Math.min(...runs.map((run) => run[figure]));
  return (best(busy) / best(idle)).toFixed(2);
}

interface Figures {
  readonly p50: number;
  readonly p99: number;
}

async function measure(label: string, duration: number): Promise<Figures> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const loader = fileURLToPath(new URL('./search-load.ts', import.meta.url));
  const body = JSON.stringify({ projectPath: searched, queries });
  const args = [
    '--import',
    'tsx',
    loader,
    url,
    body,
    '10',
    String(duration),
    String(Date.now() % 1e6),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e9 });
  delay.disable();
  const { latencies, modes } = JSON.parse(stdout) as { latencies: number[]; modes: unknown };
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  const ms = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(1);
  process.stdout.write(
    `${label}: ${(latencies.length / duration).toFixed(0)}/s, p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, ` +
      `loop delay p50 ${ms(delay.percentile(50))} p99 ${ms(delay.percentile(99))} max ${ms(delay.max)} ms, ${JSON.stringify(modes)}\n`,
  );
  return { p50: at(0.5), p99: at(0.99) };
}

/** Gives all chunks of the project random vectors; the cost of a search does not depend on their values. */
async function projectWithVectors(target: string): Promise<string> {
  await cp(source ?? '', target, { recursive: true });
  const keywordOnly = createService({ ...config, variant: 'search-only' });
  await keywordOnly.store.reindex(target);
  await keywordOnly.stop();
  plantVectors(join(target, '.automaker/knowledge.db'), config.model);
  return target;
}

async function titles(project: string): Promise<readonly string[]> {
  const features = join(project, '.automaker/features');
  const names = await readdir(features);
  const texts = names.map((name) => readFile(join(features, name, 'feature.json'), 'utf8'));
  return (await Promise.all(texts)).map((text) => String(JSON.parse(text).title));
}
