import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { schemaName } from '../../../src/adapters/postgres/schema/project-schema.js';
import type { IndexThresholds } from '../../../src/adapters/postgres/stores/postgres-project-store.js';
import { PostgresProjectStores } from '../../../src/adapters/postgres/stores/postgres-project-stores.js';
import type { Chunk } from '../../../src/domain/chunks/chunk.js';
import { EMBEDDING_DIMENSIONS } from '../../../src/domain/limits.js';
import type { ProjectKeys } from '../../../src/ports/driven/project-keys.js';
import type {
  PlantedMetrics,
  StoreHarness,
} from '../../../src/testing/harness/project-stores-harness.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';

export interface PostgresHarnessOptions {
  readonly url: string;
  /** Connections of each process. */
  readonly connections: number;
  readonly thresholds?: IndexThresholds;
  /** `keep` saves the time of dropping schemas of a server that only lives as long as the tests. */
  readonly schemas?: 'drop' | 'keep';
}

export interface PostgresHarness extends StoreHarness {
  /** Of `projectPath`. */
  readonly schema: string;
}

/** Stores in a PostgreSQL database, with two new projects, for the contract suites of the store ports. */
export async function postgresHarness(options: PostgresHarnessOptions): Promise<PostgresHarness> {
  const run = randomUUID();
  const [projectPath, otherProjectPath] = ['/project', '/other-project'];
  const clock = new FixedClock();
  const model = 'test-model';
  const schema = schemaName(`${run}${projectPath}`);
  const made: PostgresProjectStores[] = [];
  const opened = new Set<string>();
  const keys = keysOf(run, opened);
  const otherProcess = () => {
    const stores = new PostgresProjectStores({
      ...options,
      keys,
      model,
      dimensions: EMBEDDING_DIMENSIONS,
      clock,
      logger: new SilentLogger(),
      leaseTime: () => `timestamptz '${clock.now().toISOString()}'`,
    });
    made.push(stores);
    return stores;
  };
  const stores = otherProcess();
  return {
    stores,
    schema,
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
        await executeAs(options.url, `DROP SCHEMA ${schema} CASCADE`);
        return otherProcess();
      },
      async block() {
        await executeAs(options.url, `CREATE SCHEMA ${schema}`);
        return async () => {
          await executeAs(options.url, `DROP SCHEMA ${schema}`);
        };
      },
      plantForeignChunk: (chunk, metrics) =>
        insertChunk(options.url, { schema, chunk, ...(metrics && { metrics }) }),
      plantVector: (chunkId, vector, vectorModel) =>
        insertVector(options.url, { schema, chunkId, vector: [...vector], model: vectorModel }),
    },
    async dispose() {
      await Promise.all(made.map((other) => other.close()));
      if (options.schemas === 'keep') return;
      const names = [...opened].map((path) => schemaName(`${run}${path}`));
      await executeAs(
        options.url,
        `${names.map((name) => `DROP SCHEMA IF EXISTS ${name} CASCADE;`).join('')}
         DELETE FROM knowledge_store.projects WHERE schema_name IN ('', ${names.map((name) => `'${name}'`).join()})`,
      );
    },
  };
}

/** Keys that are derived from paths, for projects without a directory. */
function keysOf(run: string, opened: Set<string>): ProjectKeys {
  return {
    find: async (path) => (opened.has(path) ? `${run}${path}` : undefined),
    open: async (path) => {
      opened.add(path);
      return `${run}${path}`;
    },
  };
}

interface PlantedChunk {
  readonly schema: string;
  readonly chunk: Chunk;
  readonly metrics?: PlantedMetrics;
}

async function insertChunk(
  url: string,
  { schema, chunk, metrics = {} }: PlantedChunk,
): Promise<void> {
  await executeAs(
    url,
    `WITH planted AS (
       INSERT INTO ${schema}.chunks (id, source_type, source_file, chunk_index, heading, content,
         importance, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING no
     )
     INSERT INTO ${schema}.retrievals (chunk_no, retrieval_count, last_retrieved_at)
     SELECT no, $10, $11 FROM planted WHERE $10 > 0 OR $11::timestamptz IS NOT NULL`,
    [
      chunk.id,
      chunk.sourceType,
      chunk.sourceFile,
      chunk.chunkIndex,
      chunk.heading ?? null,
      chunk.content,
      chunk.importance,
      chunk.createdAt,
      chunk.updatedAt,
      metrics.retrievalCount ?? 0,
      metrics.lastRetrievedAt ?? null,
    ],
  );
}

interface PlantedVector {
  readonly schema: string;
  readonly chunkId: string;
  readonly vector: readonly number[];
  readonly model: string;
}

/** pgvector refuses values that are not finite, so that such a vector is never there. */
async function insertVector(url: string, { schema, ...planted }: PlantedVector): Promise<void> {
  if (!planted.vector.every(Number.isFinite)) return;
  await executeAs(
    url,
    `INSERT INTO ${schema}.content_vectors (chunk_no, model, vector)
     SELECT no, $2, $3::vector FROM ${schema}.chunks WHERE id = $1`,
    [planted.chunkId, planted.model, JSON.stringify(planted.vector)],
  );
}

/** On a connection of its own, as another program has it. */
export async function executeAs(url: string, sql: string, values?: readonly unknown[]) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values && [...values])).rows ?? [];
  } finally {
    await client.end();
  }
}
