import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whilePolled } from '../load/load-client.js';
import { median } from '../quality/statistics.js';
import { markdownTable, p50p99 } from '../speed/measuring.js';
import { type Text, varied } from '../speed/search/large-project.js';
import { type FrequentWords, frequentWords } from '../speed/search/query-classes.js';
import { bareMs, startPlain } from './baseline.js';
import { RunningContender } from './contenders.js';
import { HEALTH, healthOf, MEMORY, type Measurement, memoryOf, projectOf } from './measurement.js';

/** Searches a project with `size` chunks made of these texts, with all contenders in turn. Yields tables. */
export async function* searches(
  measurement: Measurement,
  texts: readonly Text[],
  size: number,
): AsyncGenerator<string> {
  const used = texts.slice(0, size).map(({ content }) => content);
  const words = frequentWords(used, 1);
  const services: RunningContender[] = [];
  const chunks = new Set<number>();
  for (const contender of measurement.contenders) {
    const project = projectOf(measurement, contender, `${size}`);
    writeFiles(project, texts, size);
    const service = await RunningContender.start(contender, project);
    services.push(service);
    chunks.add((await service.index()).chunks);
  }
  yield `## ${[...chunks].join(' and ')} chunks`;
  const columns = services.flatMap(({ name }) => [
    `${name}, ms p50 / p99`,
    'per second',
    'ratio',
    'processor, ms a search',
  ]);
  for (const connections of [1, 10]) {
    const rows: string[][] = [];
    for (const [name, make] of Object.entries(classesOf(used.length))) {
      const queries = Array.from({ length: QUERIES }, () => make(words));
      rows.push([name, ...(await compare(measurement, services, { queries, connections }))]);
    }
    const title = `connections: ${connections}`;
    yield markdownTable([title, 'node:http, ms', 'bare statement, ms', ...columns], rows);
  }
  yield await healthUnderLoad(measurement, services, () => words.pick(0.05, 0.3));
  for (const service of services) await service.stop();
}

const QUERIES = 20;
const SECTIONS_PER_FILE = 12;

type MakeQuery = (words: FrequentWords) => string;

function classesOf(texts: number): Readonly<Record<string, MakeQuery>> {
  const several = (count: number, make: () => string) => Array.from({ length: count }, make);
  return {
    rare: ({ pick }) => pick(0, Math.max(0.001, 3 / texts)),
    common: ({ pick }) => pick(0.05, 0.3),
    'AND of 3': ({ pick }) => several(3, () => pick(0.02, 0.3)).join(' AND '),
    'OR of 8': ({ pick }) => several(8, () => pick(0.001, 0.1)).join(' OR '),
    phrase: ({ passage }) => `"${passage(2).join(' ')}"`,
    prefix: ({ pick }) => `${pick(0.01, 0.1).slice(0, 4)}*`,
  };
}

export function writeFiles(project: string, texts: readonly Text[], size: number): void {
  let [number, file] = [0, ''];
  for (const { heading, content } of varied(texts, size)) {
    // Removes fences: one that a chunk boundary cut would swallow the following sections.
    const text = content.replaceAll(/^\s*(```|~~~).*$/gm, '');
    file += `## ${heading ?? `Part ${number}`}\n\n${text}\n\n`;
    number += 1;
    if (number % SECTIONS_PER_FILE > 0 && number < size) continue;
    writeFileSync(join(project, `doc-${number}.md`), file);
    file = '';
  }
}

interface Asked {
  readonly queries: readonly string[];
  readonly connections: number;
}

/**
 * Sends the same queries to node:http and to each service in turn. "Ratio" is the time that a service needs beyond that
 * of node:http, divided by that of the bare statement.
 */
async function compare(
  { client, rounds, seconds }: Measurement,
  services: readonly RunningContender[],
  { queries, connections }: Asked,
): Promise<readonly string[]> {
  const now = services.at(-1) as RunningContender;
  const recorded = new Map<string, Buffer>();
  for (const query of queries) {
    const body = now.bodyOf(query);
    recorded.set(body, await now.post('search', JSON.parse(body)));
  }
  const plain = await startPlain(recorded);
  const targets = [
    { url: plain.url, bodies: [...recorded.keys()], processorMs: () => 0 },
    ...services.map((service) => ({
      url: service.searchUrl,
      bodies: queries.map((query) => service.bodyOf(query)),
      processorMs: () => service.processorMs(),
    })),
  ];
  const latencies = targets.map((): number[] => []);
  const processorMs = targets.map(() => 0);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [number, { url, bodies, processorMs: used }] of targets.entries()) {
      const warmUp = round === 0;
      const before = used();
      const order = { url, bodies, connections, seconds: warmUp ? seconds / 4 : seconds };
      const report = await client.run(order);
      const statuses = JSON.stringify(report.statuses);
      if (!/^{"200":\d+}$/.test(statuses)) throw new Error(`${url}: ${statuses}`);
      if (warmUp) continue;
      latencies[number]?.push(...report.latencies);
      processorMs[number] = (processorMs[number] ?? 0) + used() - before;
    }
  }
  plain.stop();
  const [bytes = [], ...measured] = latencies;
  const [bytesMs, bare] = [median(bytes), bareMs(now.project, queries)];
  const cells = measured.flatMap((times, index) => [
    p50p99(times),
    (times.length / (rounds * seconds)).toFixed(0),
    ((median(times) - bytesMs) / bare).toFixed(2),
    ((processorMs[index + 1] ?? 0) / times.length).toFixed(2),
  ]);
  return [bytesMs.toFixed(2), bare.toFixed(2), ...cells];
}

async function healthUnderLoad(
  { client, poller, rounds, seconds }: Measurement,
  services: readonly RunningContender[],
  query: () => string,
): Promise<string> {
  const rows: string[][] = [];
  for (const service of services) {
    const bodies = Array.from({ length: QUERIES }, () => service.bodyOf(query()));
    const order = { url: service.searchUrl, bodies, connections: 10, seconds: rounds * seconds };
    const { health } = await whilePolled(poller, service, () => client.run(order));
    rows.push([service.name, healthOf(health), memoryOf(service)]);
  }
  return markdownTable(['10 connections, common words', HEALTH, MEMORY], rows);
}
