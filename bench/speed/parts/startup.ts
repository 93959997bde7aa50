import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../../quality/statistics.js';
import { ms } from '../measuring.js';
import type { Part } from '../part.js';
import { largeProject, textsOf } from '../search/large-project.js';

/** Of a service that starts in a process of its own, opens the project and searches, without and with threads. */
export const startup: Part = async ({ archive, cache, chunks }) => {
  const project = await largeProject(cache, await textsOf(archive, cache), chunks);
  const rows: (readonly string[])[] = [];
  for (const threads of [0, 2]) {
    const runs: Start[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await start(project, threads));
    const of = (key: keyof Start) => ms(median(runs.map((one) => one[key])));
    rows.push([String(threads), of('loadedMs'), of('listensMs'), of('searchedMs'), of('rssMb')]);
  }
  const head = ['threads', 'modules loaded, ms', 'listens', 'first search answered', 'memory, MB'];
  return [{ title: `Start-up: medians of ${RUNS} starts, ms after the process began`, head, rows }];
};

const RUNS = 5;

interface Start {
  readonly loadedMs: number;
  readonly listensMs: number;
  readonly searchedMs: number;
  readonly rssMb: number;
}

async function start(project: string, threads: number): Promise<Start> {
  const child = fileURLToPath(new URL('./one-start.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [child, project, String(threads)]);
  return JSON.parse(stdout) as Start;
}
