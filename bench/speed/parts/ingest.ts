import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { chunkMarkdownFile, createKnowledgeStore } from '../../../dist/index.js';
import { openDatabase } from '../../../src/adapters/sqlite/database/driver.js';
import { median } from '../../quality/statistics.js';
import { processorMs } from '../measuring.js';
import type { Part } from '../part.js';
import { APP_DIR, openStores, textsOf } from '../search/large-project.js';

/**
 * Indexes the markdown files of the archive with the service, and in the plain way: read, chunk and insert each file in
 * a transaction of its own, while triggers write the full-text index.
 */
export const ingest: Part = async ({ archive, cache }) => {
  await textsOf(archive, cache);
  const texts = join(cache, 'texts');
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(cache, texts));
  const { files, chunks } = rounds[0] as Round;
  return [
    {
      title: `Indexing ${files} files, ${chunks} chunks, medians of ${ROUNDS} rounds`,
      head: ['', 'seconds', 'faster', 'processor seconds', 'faster', 'of the first'],
      rows: WAYS.map((way) => rowOf(way, rounds)),
    },
  ];
};

const ROUNDS = 3;
const CHANGED_SHARE = 100;
/** Old enough for the service to trust the times of files. */
const LONG_AGO = new Date('2026-01-01');

const WAYS = [
  'plain trigger path',
  'first',
  'again, unchanged',
  'again, 1 of 100 files changed',
] as const;

type Way = (typeof WAYS)[number];

interface Took {
  readonly seconds: number;
  readonly processor: number;
}

interface Round {
  readonly files: number;
  readonly chunks: number;
  readonly took: Readonly<Record<Way, Took>>;
}

/** "Faster" compares with the plain way, "of the first" with the first ingestion. */
function rowOf(way: Way, rounds: readonly Round[]): readonly string[] {
  const medianOf = (of: (took: Round['took']) => number) =>
    median(rounds.map(({ took }) => of(took)));
  return [
    way,
    medianOf((took) => took[way].seconds).toFixed(2),
    medianOf((took) => took['plain trigger path'].seconds / took[way].seconds).toFixed(2),
    medianOf((took) => took[way].processor).toFixed(2),
    medianOf((took) => took['plain trigger path'].processor / took[way].processor).toFixed(2),
    `${(100 * medianOf((took) => took[way].processor / took.first.processor)).toFixed(1)} %`,
  ];
}

async function timed(work: () => Promise<unknown>): Promise<Took> {
  const begin = performance.now();
  const processor = (await processorMs(work)) / 1000;
  return { processor, seconds: (performance.now() - begin) / 1000 };
}

async function measure(cache: string, texts: string): Promise<Round> {
  const folder = await mkdtemp(join(cache, 'ingest-'));
  const files = await markdownIn(texts);
  const project = join(folder, 'project');
  await cp(texts, project, { recursive: true });
  // Setting a file's times also updates its change time, which has to be in the past too.
  for (const file of files) await utimes(join(project, file), LONG_AGO, LONG_AGO);
  await new Promise((resolve) => setTimeout(resolve, 2100));
  const plain = await plainly(join(folder, 'plain'), project, files);
  const { store, stop } = createKnowledgeStore({ variant: 'search-only', logger: 'silent' });
  await store.initialize(project);
  const first = await timed(() => store.reindex(project));
  await store.reindex(project);
  const again = await timed(() => store.reindex(project));
  for (const file of files.filter((_, number) => number % CHANGED_SHARE === 0)) {
    await appendFile(join(project, file), '\n## Added\nOne more section about copper.\n');
  }
  const changed = await timed(() => store.reindex(project));
  const { totalChunks } = await store.getStats(project);
  await stop();
  await rm(folder, { recursive: true });
  return {
    files: files.length,
    chunks: totalChunks,
    took: {
      'plain trigger path': plain,
      first,
      'again, unchanged': again,
      'again, 1 of 100 files changed': changed,
    },
  };
}

async function markdownIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.md')).toSorted();
}

/** Writes rows with the same columns to the service's tables, without anything else that the service does. */
async function plainly(target: string, texts: string, files: readonly string[]): Promise<Took> {
  await mkdir(target);
  const stores = openStores();
  await stores.open(target);
  await stores.close();
  const db = openDatabase(join(target, APP_DIR, 'knowledge.db'));
  db.pragma('synchronous = NORMAL');
  const insert = db.prepare(
    `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading, content,
       importance, created_at, updated_at) VALUES (?, 'file', ?, '/', ?, ?, ?, 0.5, ?, ?)`,
  );
  const at = new Date().toISOString();
  const add = db.transaction((file: string, text: string) => {
    for (const { chunkIndex, heading = null, content } of chunkMarkdownFile(text)) {
      const id = `${file}#${chunkIndex}`;
      insert.run(id, file, chunkIndex, heading, content, at, at);
    }
  });
  const took = await timed(async () => {
    for (const file of files) add(file, await readFile(join(texts, file), 'utf8'));
  });
  db.close();
  return took;
}
