import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../dist/app/config/read-config.js';
import { createService } from '../../dist/app/wiring/container.js';

/**
 * Indexes and then searches many projects in one process, and prints file descriptors, memory and times:
 *
 *   npm run bench:projects -- [projects = 1000] [open at once = 100]
 */
const [count = '1000', openProjects = '100'] = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), 'bench-projects-'));
const service = createService(
  readConfig({
    KNOWLEDGE_VARIANT: 'search-only',
    KNOWLEDGE_OPEN_PROJECTS: openProjects,
    KNOWLEDGE_IDLE_SECONDS: '5',
    KNOWLEDGE_LOG_LEVEL: 'warn',
  }),
);
const projects = Array.from({ length: Number(count) }, (_, number) => project(number));
let [mostFiles, mostMemory] = [0, 0];

await measured('index each', (path) => service.store.reindex(path));
await measured('search each', (path) => service.store.search(path, 'copper'));
await measured('search each again', (path) => service.store.search(path, 'copper'));
const start = performance.now();
while (files() > 40 && performance.now() - start < 15_000) await sleep(100);
process.stdout.write(`idle: ${files()} descriptors after ${seconds(start)} s\n`);
await service.stop();
rmSync(root, { recursive: true, force: true });

function project(number: number): string {
  const path = join(root, `p${number}`);
  mkdirSync(path);
  writeFileSync(join(path, 'notes.md'), `## Copper\nNote ${number}.\n\n## Tin\nAnother.\n`);
  return path;
}

async function measured(name: string, work: (path: string) => Promise<unknown>): Promise<void> {
  const begin = performance.now();
  [mostFiles, mostMemory] = [0, 0];
  for (const path of projects) {
    await work(path);
    mostFiles = Math.max(mostFiles, files());
    mostMemory = Math.max(mostMemory, process.memoryUsage().rss);
  }
  const each = ((performance.now() - begin) / projects.length).toFixed(1);
  const memory = Math.round(mostMemory / 2 ** 20);
  process.stdout.write(
    `${name}: ${each} ms each, at most ${mostFiles} descriptors and ${memory} MB\n`,
  );
}

function files(): number {
  return readdirSync('/proc/self/fd').length;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
