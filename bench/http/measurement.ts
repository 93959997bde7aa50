import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadClient, type LoadReport, whilePolled } from '../load/load-client.js';
import { markdownTable, p50p99 } from '../speed/measuring.js';
import { type Contender, RunningContender } from './contenders.js';

/** The setup of a measurement. */
export interface Measurement {
  /** Measured in turn; the last one is this checkout. */
  readonly contenders: readonly Contender[];
  /** Folder for the projects. */
  readonly folder: string;
  readonly client: LoadClient;
  /** Polls `/health` meanwhile. */
  readonly poller: LoadClient;
  readonly rounds: number;
  /** Duration of each load. */
  readonly seconds: number;
}

export const HEALTH = '/health meanwhile, ms p50 / p99';
export const MEMORY = 'MB, RSS / PSS (processes)';

/** Indexes all files of an archive for the first time. Returns a table. */
export async function firstIndexing(measurement: Measurement, archive: string): Promise<string> {
  const { contenders, poller, rounds } = measurement;
  const rows: string[][] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const contender of contenders) {
      const project = projectOf(measurement, contender, `first-${round}`);
      execFileSync('tar', ['-xzf', archive, '-C', project]);
      const service = await RunningContender.start(contender, project);
      const { result, health } = await whilePolled(poller, service, () => service.index());
      const name = `${contender.name}, round ${round}`;
      const { seconds, chunks } = result;
      rows.push([name, seconds.toFixed(2), `${chunks}`, healthOf(health), memoryOf(service)]);
      await service.stop();
      rmSync(project, { recursive: true });
    }
  }
  return markdownTable(['first indexing', 'seconds', 'chunks', HEALTH, MEMORY], rows);
}

/** Creates a folder for a contender's project. */
export function projectOf({ folder }: Measurement, { name }: Contender, purpose: string): string {
  const project = join(folder, `${purpose}-${name.replaceAll(/\W+/g, '-')}`);
  mkdirSync(project);
  return project;
}

/** Formats latencies, and counts responses other than 200. */
export function healthOf({
  latencies,
  statuses,
}: Pick<LoadReport, 'latencies' | 'statuses'>): string {
  const others = Object.entries(statuses).filter(([status]) => status !== '200');
  const refused = others.map(([status, count]) => `, ${count} × ${status}`).join('');
  return `${p50p99(latencies)}${refused}`;
}

export function memoryOf(service: RunningContender): string {
  const { rss, pss, processes } = service.memory();
  return `${rss.toFixed(0)} / ${pss.toFixed(0)} (${processes})`;
}
