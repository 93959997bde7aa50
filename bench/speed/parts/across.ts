import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceProcess } from '../../../test/support/running-service.js';
import { TempProjects } from '../../../test/support/temp-project.js';
import { LoadClient } from '../../load/load-client.js';
import { median } from '../../quality/statistics.js';
import { p50p99 } from '../measuring.js';
import type { Part } from '../part.js';
import { type Text, textsOf } from '../search/large-project.js';
import { frequentWords } from '../search/query-classes.js';

/** A search by keyword over ten projects, and over one of them, by the service over HTTP, in turn. */
export const across: Part = async ({ archive, cache, queries }) => {
  const texts = await textsOf(archive, cache);
  const projects = new TempProjects();
  const paths = await Promise.all(
    Array.from({ length: PROJECTS }, async (_, number) => {
      const { path } = projects.make();
      await writeSections(path, texts.slice(number * CHUNKS, (number + 1) * CHUNKS));
      return path;
    }),
  );
  const contents = texts.map(({ content }) => content);
  const words = frequentWords(contents, 1);
  const asked = Array.from({ length: queries }, () => words.pick(0.02, 0.3));
  const service = new ServiceProcess({ PORT: '0', KNOWLEDGE_OFFLINE: '1', DATA_DIR: cache });
  const client = new LoadClient();
  try {
    const url = `${await service.ready()}/api/knowledge`;
    for (const projectPath of paths) await post(`${url}/rebuild`, JSON.stringify({ projectPath }));
    const one = asked.map((query, at) => ({ projectPath: paths[at % PROJECTS], query }));
    const ten = asked.map((query) => ({ projectPaths: paths, query }));
    const orders = [orderOf(`${url}/search`, one), orderOf(`${url}/x/search-projects`, ten)];
    return [tableOf(await inTurn(client, orders))];
  } finally {
    client.stop();
    await service.stop();
    projects.removeAll();
  }
};

const PROJECTS = 10;
const CHUNKS = 1000;
const SECTIONS_PER_FILE = 20;
const ROUNDS = 7;

type Order = ReturnType<typeof orderOf>;

function orderOf(url: string, bodies: readonly object[]) {
  return { url, bodies: bodies.map((body) => JSON.stringify(body)), connections: 1, seconds: 2 };
}

/** The latencies of each order, by rounds; the first round, which warms up, is left out. */
async function inTurn(client: LoadClient, orders: readonly Order[]) {
  const rounds: (readonly (readonly number[])[])[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const times: (readonly number[])[] = [];
    for (const order of orders) {
      await post(order.url, order.bodies[0] ?? '');
      times.push((await client.run(order)).latencies);
    }
    rounds.push(times);
  }
  return rounds.slice(1);
}

function tableOf(rounds: readonly (readonly (readonly number[])[])[]) {
  const [one, ten] = [0, 1].map((order) => rounds.flatMap((times) => times[order] ?? []));
  const ratios = rounds.map(([ofOne = [], ofTen = []]) => median(ofTen) / median(ofOne));
  return {
    title: `A search over ${PROJECTS} projects of ${CHUNKS} chunks, medians of ${ROUNDS} rounds`,
    head: ['', 'ms, p50 / p99', 'to one'],
    rows: [
      ['one project', p50p99(one ?? []), ''],
      ['ten projects', p50p99(ten ?? []), median(ratios).toFixed(2)],
    ],
  };
}

async function post(url: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(await response.text());
}

async function writeSections(project: string, texts: readonly Text[]): Promise<void> {
  for (let from = 0; from < texts.length; from += SECTIONS_PER_FILE) {
    const sections = texts.slice(from, from + SECTIONS_PER_FILE).map(
      // A fence that is cut in two would take in the sections that follow.
      ({ heading, content }, at) =>
        `## ${heading ?? `Part ${at}`}\n\n${content.replaceAll(/^\s*(```|~~~).*$/gm, '')}\n`,
    );
    await writeFile(join(project, `doc-${from}.md`), sections.join('\n'));
  }
}
