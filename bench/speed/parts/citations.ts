import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CitationCheck, noCitationCheck } from '../../../dist/app/citations/citation-check.js';
import { CitationFinder, noCiting } from '../../../dist/app/citations/citation-finder.js';
import { createKnowledgeStore, type RunningKnowledgeStore } from '../../../dist/index.js';
import { median } from '../../quality/statistics.js';
import { processorMs, ratio } from '../measuring.js';
import type { Part, PartOptions, Table } from '../part.js';
import { textsOf } from '../search/large-project.js';
import { frequentWords } from '../search/query-classes.js';

/** What citations cost the hybrid variant: in the first indexing and in searches, in turn with them and without. */
export const citations: Part = async (options) => {
  const { archive, cache, project } = options;
  await textsOf(archive, cache);
  const tables: Table[] = [];
  for (const folder of [join(cache, 'texts'), ...(project === undefined ? [] : [project])]) {
    tables.push(
      tableOf(`First indexing of ${folder}`, await indexings(folder, options)),
      tableOf(`A search in ${folder}`, await searches(folder, options)),
    );
  }
  return tables;
};

interface Times {
  readonly with: number[];
  readonly without: number[];
}

/** The first round warms up. */
async function indexings(folder: string, { rounds }: PartOptions): Promise<Times> {
  const { begin } = CitationFinder.prototype;
  const times: Times = { with: [], without: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const way of inTurn(round)) {
      if (way === 'without') CitationFinder.prototype.begin = noCiting.begin;
      const taken = await withCopy(folder, ({ store }, project) =>
        processorMs(() => store.reindex(project)),
      );
      CitationFinder.prototype.begin = begin;
      if (round > 0) times[way].push(taken);
    }
  }
  return times;
}

/** Searches for words of the project, new ones each time. */
async function searches(folder: string, { queries, rounds }: PartOptions): Promise<Times> {
  const { reports } = CitationCheck.prototype;
  const words = frequentWords(await textsIn(folder), 1);
  const times: Times = { with: [], without: [] };
  await withCopy(folder, async ({ store }, project) => {
    await store.reindex(project);
    for (let round = 0; round < rounds * queries; round += 1) {
      const query = [words.pick(0.05, 0.5), words.pick(0.05, 0.5)].join(' ');
      await store.search(project, query);
      for (const way of inTurn(round)) {
        if (way === 'without') CitationCheck.prototype.reports = noCitationCheck.reports;
        const taken = await processorMs(() => store.search(project, query));
        CitationCheck.prototype.reports = reports;
        if (round >= queries) times[way].push(taken);
      }
    }
  });
  return times;
}

function inTurn(round: number): readonly (keyof Times)[] {
  return round % 2 === 0 ? ['with', 'without'] : ['without', 'with'];
}

/** Runs work over a copy of a project that has no database yet. */
async function withCopy<T>(
  folder: string,
  work: (knowledge: RunningKnowledgeStore, project: string) => Promise<T>,
): Promise<T> {
  const project = await mkdtemp(join(tmpdir(), 'citations-'));
  await cp(folder, project, { recursive: true, filter: (path) => !/knowledge\.db/.test(path) });
  const knowledge = createKnowledgeStore({ logger: 'silent', downloads: 'forbidden' });
  try {
    await knowledge.store.initialize(project);
    return await work(knowledge, project);
  } finally {
    await knowledge.stop();
    await rm(project, { recursive: true });
  }
}

async function textsIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'));
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}

function tableOf(title: string, times: Times): Table {
  return {
    title: `${title}, medians`,
    head: ['', 'processor ms', 'to without'],
    rows: [
      ['without citations', median(times.without).toFixed(2), ''],
      ['with citations', median(times.with).toFixed(2), ratio(times.with, times.without)],
    ],
  };
}
