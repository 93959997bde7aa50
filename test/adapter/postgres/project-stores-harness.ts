import { randomUUID } from 'node:crypto';
import { schemaName } from '../../../src/adapters/postgres/database/project-schema.js';
import { PostgresProjectStores } from '../../../src/adapters/postgres/stores/postgres-project-stores.js';
import type { Chunk } from '../../../src/domain/chunks/chunk.js';
import { EMBEDDING_DIMENSIONS } from '../../../src/domain/limits.js';
import type { ProjectKeys } from '../../../src/ports/project-directories.js';
import type { PlantedMetrics, StoreHarness } from '../../contract/harness/store-harness.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { executeAs } from '../../support/execute-as.js';

interface PostgresHarnessOptions {
  readonly url: string;
  /** Connections of each process. */
  readonly connections: number;
  /** Projects have the emptied schemas of earlier tests, because making one takes longer than most tests. */
  readonly schemas?: 'reused';
}

export interface PostgresHarness extends StoreHarness {
  /** Aborted, the service begins to stop. */
  readonly stopping: AbortController;
  /** The name of the schema of `projectPath`. */
  schema(): string;
}

/** Stores in a PostgreSQL database, with two new projects, for the contract suites of the store ports. */
export async function postgresHarness(options: PostgresHarnessOptions): Promise<PostgresHarness> {
  const [projectPath, otherProjectPath] = ['/project', '/other-project'];
  const clock = new FixedClock();
  const model = 'test-model';
  const made: PostgresProjectStores[] = [];
  const stopping = new AbortController();
  const keys = new KeysInMemory(options.schemas);
  const schema = () => schemaName(keys.keyOf(projectPath));
  const otherProcess = () => {
    const stores = new PostgresProjectStores({
      ...options,
      keys,
      model,
      dimensions: EMBEDDING_DIMENSIONS,
      clock,
      logger: new SilentLogger(),
      stopping: stopping.signal,
      leaseTime: () => `timestamptz '${clock.now().toISOString()}'`,
    });
    made.push(stores);
    return stores;
  };
  const stores = otherProcess();
  return {
    stores,
    stopping,
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
        await executeAs(options.url, `DROP SCHEMA ${schema()} CASCADE`);
        return otherProcess();
      },
      async block() {
        // Before the first project there is nothing to drop.
        await executeAs(options.url, dropping(keys.keyOf(projectPath))).catch(() => undefined);
        await executeAs(options.url, `CREATE SCHEMA ${schema()}`);
        return async () => {
          await executeAs(options.url, `DROP SCHEMA ${schema()}`);
        };
      },
      plantForeignChunk: (chunk, metrics) =>
        insertChunk(options.url, { schema: schema(), chunk, ...(metrics && { metrics }) }),
      plantVector: (chunkId, vector, vectorModel) =>
        insertVector(options.url, {
          schema: schema(),
          chunkId,
          vector: [...vector],
          model: vectorModel,
        }),
    },
    async dispose() {
      await Promise.all(made.map((other) => other.close()));
      await executeAs(options.url, keys.clearing());
    },
  };
}

/** The keys of the projects whose schemas the tests of this process reuse, by path. */
const REUSED = new Map<string, string>();

/** Drops the schemas that are kept for further tests. */
export async function dropReusedSchemas(url: string): Promise<void> {
  await executeAs(url, Array.from(REUSED.values(), dropping).join(''));
  REUSED.clear();
}

/** Keys of projects without a directory. */
class KeysInMemory implements ProjectKeys {
  readonly #keys: Map<string, string>;
  readonly #opened = new Set<string>();

  constructor(schemas: 'reused' | undefined) {
    this.#keys = schemas === 'reused' ? REUSED : new Map();
  }

  keyOf(path: string): string {
    const key = this.#keys.get(path) ?? randomUUID();
    this.#keys.set(path, key);
    return key;
  }

  async find(path: string): Promise<string | undefined> {
    return this.#opened.has(path) ? this.keyOf(path) : undefined;
  }

  async open(path: string): Promise<string> {
    this.#opened.add(path);
    return this.keyOf(path);
  }

  /** Statements that leave nothing of the projects that were opened. */
  clearing(): string {
    const cleared = this.#keys === REUSED ? emptying : dropping;
    return Array.from(this.#opened, (path) => cleared(this.keyOf(path))).join('');
  }
}

function emptying(key: string): string {
  const schema = schemaName(key);
  return `DELETE FROM ${schema}.chunks; DELETE FROM ${schema}.sources; DELETE FROM ${schema}.leases;
    DELETE FROM ${schema}.names; DELETE FROM ${schema}.kept_vectors;
    UPDATE knowledge_store.projects SET refill_needed = false WHERE schema_name = '${schema}';`;
}

function dropping(key: string): string {
  const schema = schemaName(key);
  return `DROP SCHEMA IF EXISTS ${schema} CASCADE;
    DELETE FROM knowledge_store.projects WHERE schema_name = '${schema}';`;
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
