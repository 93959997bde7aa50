import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fittedLine, median } from '../../quality/statistics.js';
import { ms, processorMs } from '../measuring.js';
import type { Part, PartOptions } from '../part.js';
import { compareSearches } from '../search/compare-searches.js';
import { APP_DIR, largeProject, openStores, textsOf } from '../search/large-project.js';

/** How each figure grows with the number of chunks: a power law fitted to the sizes, and what it says of a million. */
export const growth: Part = async (options) => {
  const sizes = SIZES.filter((size) => size <= options.chunks);
  const figures = new Map<string, number[]>();
  for (const size of sizes) {
    for (const [name, value] of await figuresOf(options, size)) {
      figures.set(name, [...(figures.get(name) ?? []), value]);
    }
  }
  const rows = [...figures].map(([name, values]) => {
    const { exponent, at } = powerLaw(sizes, values);
    return [name, ...values.map(ms), exponent.toFixed(2), ms(at(1_000_000))];
  });
  const head = ['', ...sizes.map(String), 'exponent', '1000000, from the fit'];
  return [{ title: 'Growth: median processor ms, and MB', head, rows }];
};

const SIZES = [1_000, 10_000, 100_000];
const STATS_RUNS = 10;

async function figuresOf(
  { archive, cache, queries }: PartOptions,
  size: number,
): Promise<readonly (readonly [string, number])[]> {
  const texts = await textsOf(archive, cache);
  const project = await largeProject(cache, texts, size);
  const stores = openStores();
  const store = await stores.open(project);
  const contents = texts.slice(0, size).map(({ content }) => content);
  const classes = await compareSearches({ project, store, texts: contents, queries });
  const stats: number[] = [];
  for (let run = 0; run < STATS_RUNS; run += 1) {
    stats.push(await processorMs(() => store.chunks.stats()));
  }
  const rebuild = await processorMs(() => store.keywords.rebuild());
  await stores.close();
  const bytes = statSync(join(project, APP_DIR, 'knowledge.db')).size;
  return [
    ...classes.map(({ name, search }) => [`search, ${name}`, median(search)] as const),
    ['statistics', median(stats)],
    ['rebuild', rebuild],
    ['file, MB', bytes / 2 ** 20],
  ];
}

/** By least squares of the logarithms. */
function powerLaw(sizes: readonly number[], values: readonly number[]) {
  const line = fittedLine(
    sizes.map((size, index) => [Math.log(size), Math.log(values[index] ?? 1)]),
  );
  return { exponent: line.slope, at: (size: number) => Math.exp(line.at(Math.log(size))) };
}
