import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../../quality/statistics.js';
import { compareSearches, searchTable } from './compare-searches.js';
import { largeProject, openStores, textsOf } from './large-project.js';

/**
 * How long searches take in a large project made of real texts, class by class: the product's keyword
 * index and the bare FTS5 statement in turn. Prints tables in markdown. The project is kept in the
 * temporary folder for the next run.
 *
 *   npm run bench -- <archive of markdown files, .tar.gz> [chunks = 10000] [queries = 40]
 */
const [archive, chunks = '10000', queries = '40'] = process.argv.slice(2);
if (archive === undefined) {
  process.stderr.write('usage: npm run bench -- <archive.tar.gz> [chunks] [queries]\n');
  process.exit(2);
}
const cache = join(tmpdir(), 'knowledge-store-bench');
const texts = await textsOf(archive, cache);
const project = await largeProject(cache, texts, Number(chunks));
const stores = openStores();
const store = await stores.open(project);
const classes = await compareSearches({
  project,
  store,
  texts: texts.map(({ content }) => content),
  queries: Number(queries),
});
const stats: number[] = [];
for (let run = 0; run < 10; run += 1) {
  const begin = performance.now();
  await store.chunks.stats();
  stats.push(performance.now() - begin);
}
await stores.close();
const { rss } = process.memoryUsage();
process.stdout.write(
  [
    `${chunks} chunks, ${queries} queries per class; ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`,
    '',
    searchTable(classes),
    '',
    `stats: ${median(stats).toFixed(1)} ms; memory: ${(rss / 2 ** 20).toFixed(0)} MB`,
    '',
  ].join('\n'),
);
