import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { InMemoryVectorIndex } from '../../../src/adapters/memory/in-memory-vector-index.js';
import { newLeaseHolder } from '../../../src/adapters/sqlite/stores/sqlite-leases.js';
import {
  NEARBY,
  SqliteProjectStores,
} from '../../../src/adapters/sqlite/stores/sqlite-project-stores.js';
import {
  ThreadedProjectStores,
  type ThreadedProjectStoresOptions,
} from '../../../src/adapters/store-threads/threaded-project-stores.js';
import { withVectorIndexes } from '../../../src/app/projects/with-vector-indexes.js';
import type { Chunk } from '../../../src/domain/chunks/chunk.js';
import { EMBEDDING_DIMENSIONS } from '../../../src/domain/limits.js';
import type { ProjectStores } from '../../../src/ports/driven/project-stores.js';
import type {
  PlantedMetrics,
  StoreHarness,
} from '../../../src/testing/harness/project-stores-harness.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { sqliteStores } from '../../support/sqlite-stores.js';

const APP_DIR = '.knowledge';
const SETTINGS = { appDir: APP_DIR, model: 'test-model', dimensions: EMBEDDING_DIMENSIONS };

/** SQLite stores for projects in a temporary directory, for the contract suites of the store ports. */
export function sqliteHarness(): Promise<StoreHarness> {
  const clock = new FixedClock();
  const makeStores = () => sqliteStores({ clock });
  return harnessOf({ clock, stores: makeStores(), makeStores });
}

/** The same stores in worker threads. These take longer to start than most tests to run, so tests share them. */
export function threadedSqliteHarness(): Promise<StoreHarness> {
  const stores = lentThreads.stores ?? threadedStores({ clock: lentThreads.clock });
  lentThreads.stores = stores;
  const { clock } = lentThreads;
  clock.set(new FixedClock().now());
  return harnessOf({
    clock,
    stores,
    makeStores: () => threadedStores({ clock }),
    async giveBack(projectPaths) {
      if (await isClosed(stores)) lentThreads.stores = undefined;
      else await Promise.all(projectPaths.map((path) => stores.release(path)));
    },
  });
}

/** Their threads end with the process. */
const lentThreads: { stores?: ThreadedProjectStores | undefined; readonly clock: FixedClock } = {
  clock: new FixedClock(),
};

async function isClosed(stores: ProjectStores): Promise<boolean> {
  return stores.find(tmpdir()).then(
    () => false,
    () => true,
  );
}

/** SQLite in worker threads; `options` say what is different. */
export function threadedStores(
  options: Partial<ThreadedProjectStoresOptions> = {},
): ThreadedProjectStores {
  const settings = { ...SETTINGS, leaseHolder: newLeaseHolder() };
  const means = { clock: new FixedClock(), logger: new SilentLogger() };
  const appDirs = appDirectories(APP_DIR);
  return new ThreadedProjectStores({
    workerFile: new URL('../../../dist/app/wiring/sqlite-thread.js', import.meta.url),
    settings,
    makeNearby: (watched) =>
      new SqliteProjectStores({ ...settings, ...means, ...NEARBY, appDirs, watched }),
    readers: 1,
    locationOf: (projectPath) => join(projectPath, APP_DIR, 'knowledge.db'),
    ...means,
    stopWaiting: new AbortController().signal,
    ...options,
  });
}

interface HarnessParts {
  /** Of all these stores. */
  readonly clock: FixedClock;
  readonly stores: ProjectStores;
  readonly makeStores: () => ProjectStores;
  /** Instead of closing `stores`. */
  readonly giveBack?: (projectPaths: readonly string[]) => Promise<void>;
}

async function harnessOf(parts: HarnessParts): Promise<StoreHarness> {
  const { clock, stores, makeStores, giveBack = () => stores.close() } = parts;
  const root = mkdtempSync(join(tmpdir(), 'project-stores-'));
  const [projectPath, otherProjectPath] = [join(root, 'project'), join(root, 'other')];
  for (const directory of [projectPath, otherProjectPath]) mkdirSync(directory);
  const dbPath = join(projectPath, APP_DIR, 'knowledge.db');
  const { model } = SETTINGS;
  const made: ProjectStores[] = [];
  const otherProcess = () => {
    const others = makeStores();
    made.push(others);
    return others;
  };
  return {
    stores,
    projectPath,
    otherProjectPath,
    clock,
    model,
    otherProcess,
    async restart() {
      await stores.close();
      return otherProcess();
    },
    outside: {
      async restartDamaged() {
        await stores.close();
        writeFileSync(
          dbPath,
          'This is not a database, but long enough to be taken for one. '.repeat(99),
        );
        return otherProcess();
      },
      async block() {
        writeFileSync(join(projectPath, APP_DIR), 'A file stands where a directory should be.');
        return async () => rmSync(join(projectPath, APP_DIR));
      },
      plantForeignChunk: async (chunk, metrics) => insertChunk(dbPath, chunk, metrics),
      async plantVector(chunkId, vector, vectorModel) {
        const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
        execute(
          dbPath,
          `INSERT INTO embeddings (chunk_id, embedding, model, created_at)
         VALUES (?, ?, ?, '2026-01-01T00:00:00.000Z')`,
          [chunkId, bytes, vectorModel],
        );
      },
    },
    async dispose() {
      await Promise.all(made.map((opened) => opened.close()));
      await giveBack([projectPath, otherProjectPath]);
      rmSync(root, { recursive: true });
    },
  };
}

/** The same stores, with vectors of one process in its memory. */
export async function sqliteWithVectorsInMemory(): Promise<StoreHarness> {
  const harness = await sqliteHarness();
  const composed = (stores: ProjectStores) =>
    withVectorIndexes(stores, (texts) => new InMemoryVectorIndex(texts, EMBEDDING_DIMENSIONS));
  return {
    ...harness,
    stores: composed(harness.stores),
    otherProcess: () => composed(harness.otherProcess()),
    restart: async () => composed(await harness.restart()),
  };
}

function insertChunk(dbPath: string, chunk: Chunk, metrics: PlantedMetrics = {}): void {
  execute(
    dbPath,
    `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading, content,
       tags, importance, created_at, updated_at, last_retrieved_at, retrieval_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      chunk.id,
      chunk.sourceType,
      chunk.sourceFile,
      chunk.projectPath,
      chunk.chunkIndex,
      chunk.heading ?? null,
      chunk.content,
      chunk.tags === undefined ? null : JSON.stringify(chunk.tags),
      chunk.importance,
      chunk.createdAt,
      chunk.updatedAt,
      metrics.lastRetrievedAt ?? null,
      metrics.retrievalCount ?? 0,
    ],
  );
}

/** On a connection of its own, as another program has it. */
function execute(dbPath: string, sql: string, values: readonly unknown[]): void {
  const db = new Database(dbPath);
  db.prepare(sql).run(...values);
  db.close();
}
