import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CitationFinder, noCiting } from '../../../dist/app/citations/citation-finder.js';
import { createKnowledgeStore } from '../../../dist/index.js';
import { median } from '../../quality/statistics.js';
import { processorMs } from '../measuring.js';
import type { Part } from '../part.js';
import { textsOf } from '../search/large-project.js';

/** The first indexing of the archive's files by the hybrid variant, in turn with what finds citations and without. */
export const citations: Part = async ({ archive, cache }) => {
  await textsOf(archive, cache);
  const times = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const ways = [true, false].map((isCiting) => (round % 2 === 0 ? isCiting : !isCiting));
    for (const isCiting of ways) {
      const taken = await firstIndexing(cache, isCiting);
      if (round > 0) times[isCiting ? 'with' : 'without'].push(taken);
    }
  }
  const [cited, plain] = [median(times.with), median(times.without)];
  const ratios = times.with.map((time, at) => time / (times.without[at] ?? Number.NaN));
  return [
    {
      title: `First indexing, medians of ${ROUNDS - 1} rounds`,
      head: ['', 'processor ms', 'to without'],
      rows: [
        ['without citations', plain.toFixed(0), ''],
        ['with citations', cited.toFixed(0), median(ratios).toFixed(2)],
      ],
    },
  ];
};

/** The first one warms up. */
const ROUNDS = 8;

async function firstIndexing(cache: string, isCiting: boolean): Promise<number> {
  const project = await mkdtemp(join(cache, 'citations-'));
  await cp(join(cache, 'texts'), project, { recursive: true });
  const { begin } = CitationFinder.prototype;
  if (!isCiting) CitationFinder.prototype.begin = noCiting.begin;
  const { store, stop } = createKnowledgeStore({
    logger: 'silent',
    dataDir: cache,
    downloads: 'forbidden',
  });
  try {
    await store.initialize(project);
    return await processorMs(() => store.reindex(project));
  } finally {
    CitationFinder.prototype.begin = begin;
    await stop();
    await rm(project, { recursive: true });
  }
}
