import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceProcess } from '../../../test/support/running-service.js';
import { TempProjects } from '../../../test/support/temp-project.js';
import { LoadClient } from '../../load/load-client.js';
import { median } from '../../quality/statistics.js';
import { p50p99 } from '../measuring.js';
import type { Part, Table } from '../part.js';
import { plantVectors } from '../planted-vectors.js';
import { APP_DIR, type Text, textsOf } from '../search/large-project.js';
import { frequentWords } from '../search/query-classes.js';

/**
 * A search over ten projects, and over one of them, by the service over HTTP, in turn: by keyword and, with the model of
 * `--data`, for questions that it embeds.
 */
export const across: Part = async ({ archive, cache, queries, dataDir }) => {
  const texts = await textsOf(archive, cache);
  const words = frequentWords(
    texts.map(({ content }) => content),
    1,
  );
  const projects = new TempProjects();
  try {
    const paths = await writtenProjects(projects, texts);
    const known = Array.from({ length: queries }, () => words.pick(0.02, 0.3));
    const byKeyword = await measured({ DATA_DIR: cache }, paths, () => known);
    const title = `A search over ${PROJECTS} projects of ${CHUNKS} chunks, medians of ${ROUNDS} rounds`;
    const tables = [{ title: `${title}, by keyword`, ...byKeyword }];
    if (dataDir === undefined) return tables;
    for (const path of paths) plantVectors(join(path, APP_DIR, 'knowledge.db'), MODEL);
    // Each question is new to the service, which remembers the vectors of the last ones.
    const questions = () => Array.from({ length: QUESTIONS }, () => words.passage(5).join(' '));
    const byMeaning = await measured({ DATA_DIR: dataDir }, paths, questions);
    return [...tables, { title: `${title}, with vectors`, ...byMeaning }];
  } finally {
    projects.removeAll();
  }
};

const PROJECTS = 10;
const CHUNKS = 1000;
const SECTIONS_PER_FILE = 20;
const ROUNDS = 7;
const QUESTIONS = 500;
const MODEL = 'Xenova/all-MiniLM-L6-v2';

function writtenProjects(projects: TempProjects, texts: readonly Text[]) {
  return Promise.all(
    Array.from({ length: PROJECTS }, async (_, number) => {
      const { path } = projects.make();
      await writeSections(path, texts.slice(number * CHUNKS, (number + 1) * CHUNKS));
      return path;
    }),
  );
}

/** Latencies of both searches, as a table; the first round, which warms up, is left out. */
async function measured(
  environment: { readonly DATA_DIR: string },
  paths: readonly string[],
  queriesOf: () => readonly string[],
): Promise<Omit<Table, 'title'>> {
  const service = new ServiceProcess({ PORT: '0', KNOWLEDGE_OFFLINE: '1', ...environment });
  const client = new LoadClient();
  const latencies = async (url: string, bodies: readonly object[]) => {
    const order = { url, bodies: bodies.map((body) => JSON.stringify(body)), connections: 1 };
    return (await client.run({ ...order, seconds: 2 })).latencies;
  };
  try {
    const url = `${await service.ready()}/api/knowledge`;
    for (const projectPath of paths) await post(`${url}/rebuild`, JSON.stringify({ projectPath }));
    const rounds: Round[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const one = queriesOf().map((query, at) => ({ projectPath: paths[at % PROJECTS], query }));
      const ten = queriesOf().map((query) => ({ projectPaths: paths, query }));
      rounds.push({
        one: await latencies(`${url}/search`, one),
        ten: await latencies(`${url}/x/search-projects`, ten),
      });
    }
    return tableOf(rounds.slice(1));
  } finally {
    client.stop();
    await service.stop();
  }
}

interface Round {
  readonly one: readonly number[];
  readonly ten: readonly number[];
}

function tableOf(rounds: readonly Round[]): Omit<Table, 'title'> {
  const ratios = rounds.map(({ one, ten }) => median(ten) / median(one));
  return {
    head: ['', 'ms, p50 / p99', 'to one'],
    rows: [
      ['one project', p50p99(rounds.flatMap(({ one }) => one)), ''],
      ['ten projects', p50p99(rounds.flatMap(({ ten }) => ten)), median(ratios).toFixed(2)],
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
