import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareSearches, searchTable } from '../../../bench/speed/search/compare-searches.js';
import { largeProject, openStores } from '../../../bench/speed/search/large-project.js';
import { QUERY_CLASSES } from '../../../bench/speed/search/query-classes.js';

test('measures every class of queries in a project that is made once', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'bench-'));
  const texts = Array.from({ length: 10 }, (_, number) => ({
    heading: number % 2 === 0 ? `Part ${number}` : null,
    content: `the copper pipe number${number} leads to the ${'north south '.repeat(number + 14)}`,
  }));
  const project = await largeProject(cache, texts, 40);
  expect(await largeProject(cache, texts, 40)).toBe(project);
  const stores = openStores();
  const store = await stores.open(project);
  expect(await store.chunks.stats()).toMatchObject({ totalChunks: 40 });
  const contents = texts.map(({ content }) => content);
  const classes = await compareSearches({ project, store, texts: contents, queries: 2 });
  await stores.close();
  await rm(cache, { recursive: true });
  expect(classes.map(({ name }) => name)).toEqual(Object.keys(QUERY_CLASSES));
  for (const { name, bare, search, filtered, scored } of classes) {
    expect([name, bare.length, search.length, filtered.length, scored.length]).toEqual([
      name,
      ...[2, 2, 2, 2],
    ]);
  }
  expect(searchTable(classes).rows).toHaveLength(classes.length);
});
