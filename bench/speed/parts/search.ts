import type { Part } from '../part.js';
import { compareSearches, searchTable } from '../search/compare-searches.js';
import { largeProject, openStores, textsOf } from '../search/large-project.js';

/**
 * Compares the product's keyword index, the bare FTS5 statement and the naive join in turn, for each class of queries.
 */
export const search: Part = async ({ archive, cache, chunks, queries }) => {
  const texts = await textsOf(archive, cache);
  const project = await largeProject(cache, texts, chunks);
  const stores = openStores();
  const store = await stores.open(project);
  const contents = texts.map(({ content }) => content);
  const classes = await compareSearches({ project, store, texts: contents, queries });
  await stores.close();
  return [searchTable(classes)];
};
