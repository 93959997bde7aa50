/**
 * Compares SQLite with PostgreSQL on the same chunks, through the ports: both are filled one after the other, and then
 * searched in turn, some queries each, so that other programs disturb both alike.
 *
 *   KNOWLEDGE_TEST_POSTGRES_BIN=$(scripts/get-postgres.sh) npm run bench:stores -- <corpus.jsonl> [chunks]
 *
 * CPU time is that of this process and, for PostgreSQL, of the processes of the server.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { appDirectories } from '../../src/adapters/files/app-directories.js';
import { PostgresProjectStores } from '../../src/adapters/postgres/stores/postgres-project-stores.js';
import { SqliteProjectStores } from '../../src/adapters/sqlite/stores/sqlite-project-stores.js';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import type { ProjectStore } from '../../src/ports/driven/project-stores.js';
import { SilentLogger } from '../../test/fakes/silent-logger.js';
import { executeAs } from '../../test/support/execute-as.js';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { SERVER_BIN } from '../../test/support/postgres-under-test.js';
import { DIMENSIONS, MadeUpChunks, type MadeUpSource } from './made-up-chunks.js';
import { compareInTurn, comparisonTable, type Engine, rates } from './stores/in-turn.js';
import { storeSearches } from './stores/searches.js';

const [corpus = '', count = '100000'] = process.argv.slice(2);
const madeUp = new MadeUpChunks(corpus);
const sources = madeUp.sources(Number(count));
const server = await PostgresServer.create(SERVER_BIN, 'kept', {
  shared_buffers: '1GB',
  maintenance_work_mem: '1GB',
});
const root = mkdtempSync(join(tmpdir(), 'stores-at-scale-'));
const common = {
  model: 'random',
  dimensions: DIMENSIONS,
  clock: systemClock,
  logger: new SilentLogger(),
};
const keys = { find: async () => root, open: async () => root };
const sqlite = new SqliteProjectStores({ ...common, appDirs: appDirectories('.knowledge') });
const postgres = new PostgresProjectStores({ ...common, url: server.url, keys });
try {
  const engines: readonly [Engine, Engine] = [
    { name: 'SQLite', store: await sqlite.open(root), server: 0 },
    { name: 'PostgreSQL', store: await postgres.open(root), server: server.pid },
  ];
  for (const engine of engines) await fill(engine);
  // Otherwise the server does it in the middle of the searches, and its CPU time is counted as theirs.
  await executeAs(server.url, 'VACUUM ANALYZE');
  const searches = storeSearches(madeUp, sources);
  console.log(comparisonTable(await compareInTurn(engines, searches)));
  for (const { name, perSecond } of await rates(engines, searches))
    console.log(`${name}: ${perSecond.join(', ')} searches/s at 1, 2, 4 at once`);
  for (const { name, store } of engines) {
    const { sizeBytes } = await store.chunks.stats();
    console.log(`${name}: ${(sizeBytes / 1e6).toFixed(0)} MB`);
  }
  console.log(`load ${loadavg()[1]?.toFixed(1)}`);
} finally {
  await sqlite.close();
  await postgres.close();
  await server.remove();
  rmSync(root, { recursive: true });
}

async function fill({ name, store }: Engine): Promise<void> {
  const rate = (ms: number) => Math.round((Number(count) * 1000) / ms);
  const say = (text: string) => console.log(`${name}: ${text}`);
  say(`ingest ${rate(await timed(() => eachSource((source) => ingest(store, source))))} chunks/s`);
  say(`vectors ${rate(await timed(() => eachSource((source) => putVectors(store, source))))}/s`);
  const rebuildMs = await timed(() => store.keywords.rebuild());
  say(`rebuild of the indexes ${(rebuildMs / 1000).toFixed(0)} s`);
}

async function eachSource(work: (source: MadeUpSource) => Promise<unknown>): Promise<void> {
  for (const source of sources) await work(source);
}

function ingest(store: ProjectStore, { sourceFile, chunks }: MadeUpSource): Promise<unknown> {
  return store.chunks.replaceSource(sourceFile, async () => ({
    sourceType: 'file',
    sourceFile,
    contentHash: sourceFile,
    chunks: chunks.map(({ content }) => ({ content, importance: 0.5 })),
  }));
}

function putVectors(store: ProjectStore, { chunks }: MadeUpSource): Promise<unknown> {
  return store.vectors.put(
    chunks.map(({ id, content, vector }) => ({ chunkId: id, texts: [content], vector })),
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
