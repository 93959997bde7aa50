import { existsSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SearchParameters } from '../../../src/app/search/retrieval.js';
import { createKnowledgeStore, type RunningKnowledgeStore } from '../../../src/index.js';
import { p50p99, processorMs, ratio } from '../measuring.js';
import type { Part } from '../part.js';
import { plantedEmbedder, plantVectors } from '../planted-vectors.js';
import { APP_DIR, largeProject, textsOf } from '../search/large-project.js';
import { frequentWords } from '../search/query-classes.js';

/**
 * Searches for 4 common words with the whole service, in turn: by keyword only, then fused with vectors in each way.
 * Embedding the query costs nothing here, so only the searches differ.
 */
export const hybrid: Part = async ({ archive, cache, chunks, queries }) => {
  const texts = await textsOf(archive, cache);
  const project = await withVectors(await largeProject(cache, texts, chunks));
  const words = frequentWords(
    texts.map(({ content }) => content),
    1,
  );
  const keywords = createKnowledgeStore({ variant: 'search-only', logger: 'silent' });
  const merged = createKnowledgeStore({
    logger: 'silent',
    backends: { embedder: plantedEmbedder(MODEL) },
  });
  const times = new Map(WAYS.map(([name]) => [name, [] as number[]]));
  await merged.store.search(project, 'warm up', { candidates: 'union' }); // warms up the search by vectors
  for (let query = 0; query < queries; query += 1) {
    const text = Array.from({ length: 4 }, () => words.pick(0.02, 0.3)).join(' ');
    for (const [name, options] of WAYS) {
      const { store } = options === undefined ? keywords : merged;
      times.get(name)?.push(await processorMs(() => store.search(project, text, options)));
    }
  }
  await stopAll(keywords, merged);
  const base = times.get(ALONE) ?? [];
  const rows = [...times].map(([name, of]) => [name, p50p99(of), ratio(of, base)]);
  const head = ['search', 'processor ms, p50 / p99', 'to keywords alone'];
  return [{ title: 'What merging with vectors costs', head, rows }];
};

const ALONE = 'keywords alone';

const WAYS: readonly (readonly [string, Partial<SearchParameters> | undefined])[] = [
  [ALONE, undefined],
  ['rrf', { fusion: 'rrf' }],
  ['blend', { fusion: 'blend' }],
  ['rrf, union', { fusion: 'rrf', candidates: 'union' }],
  ['blend, union', { fusion: 'blend', candidates: 'union' }],
];

const MODEL = 'planted vectors';

/** A copy of the project in which every chunk has a vector. */
async function withVectors(project: string): Promise<string> {
  const target = `${project}-vectors`;
  if (existsSync(target)) return target;
  const unfinished = `${target}-unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(project, unfinished, { recursive: true });
  plantVectors(join(unfinished, APP_DIR, 'knowledge.db'), MODEL);
  await rename(unfinished, target);
  return target;
}

async function stopAll(...services: readonly RunningKnowledgeStore[]): Promise<void> {
  for (const { stop } of services) await stop();
}
